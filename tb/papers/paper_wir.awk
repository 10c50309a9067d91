# SPDX-License-Identifier: Apache-2.0
# The figures of paper_wir.sh's runs: tables, verdicts and plots (tb/papers/paper.awk and paper_plots.awk have what is no page's
# own). A configuration is a name of paper_wir.sh's list; "main" is RLPV with 256 entries.

# ---- what was measured ----

# What a configuration is compared with: no reuse, the same latencies.
function base_of(c) {
    if (c ~ /delay[0-9]+$/) return "base_" substr(c, match(c, /delay/))
    if (c ~ /load[0-9]+$/) return "base_" substr(c, match(c, /load/))
    return "base"
}
function instructions(w, c) { return have(w, c, "warp_instructions") }
# A counter of the run against the same one without reuse, as a change.
function against(w, c, key) { return ratio(have(w, c, key), have(w, base_of(c), key)) - 1 }
function conflicts(w, c) {
    return have(w, c, "conflicts_read_read") + have(w, c, "conflicts_read_write") + have(w, c, "conflicts_write_write")
}
function accesses(w, c) { return reads_of(w, c) + have(w, c, "bank_writes") }
function reads_of(w, c) { return have(w, c, "operand_reads") + have(w, c, "verify_reads") + have(w, c, "merge_reads") }
# A counter with a dummy MOV as an operation of its own, as the WIR paper has it (V-D); here it is one with the write of its result (D-mov).
function with_moves(w, c, key) { return ratio(have(w, c, key) + have(w, c, "dummy_moves"), have(w, base_of(c), key)) - 1 }
# One figure of a workload in a configuration.
function figure(what, w, c,    n) {
    n = instructions(w, c)
    if (what == "ipc" || what == "cycles") return have(w, c, what)
    if (what == "ipc_gain") return faster(w, c, base_of(c)) - 1
    if (what == "reused") return ratio(have(w, c, "reused"), n)
    if (what == "waited") return ratio(have(w, c, "reused_after_waiting"), n)
    if (what == "of_looked") return ratio(have(w, c, "reused"), have(w, c, "looked_up"))
    if (what == "looked") return ratio(have(w, c, "looked_up"), n)
    if (what ~ /^stall_/) return ratio(have(w, c, what), 2 * have(w, c, "cycles"))
    if (what == "issues") return ratio(have(w, c, "issued"), 2 * have(w, c, "cycles"))
    if (what ~ /^conflicts_/ || what == "verify_conflicts") return ratio(have(w, c, what), accesses(w, c))
    if (what == "dummy") return ratio(have(w, c, "dummy_moves"), n)
    if (what == "executed") return against(w, c, "executed")
    if (what == "operands") return against(w, c, "operand_reads")
    if (what == "reads") return ratio(reads_of(w, c), reads_of(w, base_of(c))) - 1
    if (what == "writes") return against(w, c, "bank_writes")
    if (what == "executed_moves") return with_moves(w, c, "executed")
    if (what == "writes_moves") return with_moves(w, c, "bank_writes")
    if (what == "energy_moves")
        return figure("energy", w, c) + ratio(have(w, c, "dummy_moves") * 8 * pj_write * 1e-6, have(w, base_of(c), "energy_banks_uj"))
    if (what == "memory") return -ratio(have(w, c, "reused_loads"), memory_of[w])
    if (what == "vsb") return have(w, c, "vsb_hit_share")
    if (what == "shared") return ratio(have(w, c, "shared_cached") + have(w, c, "shared_read"), have(w, c, "results"))
    if (what == "hashed") return ratio(have(w, c, "hashed"), have(w, c, "results"))
    if (what == "verify") return ratio(have(w, c, "verify_reads"), have(w, base_of(c), "bank_writes"))
    if (what == "cached") return ratio(have(w, c, "shared_cached"), have(w, c, "vsb_hits"))
    if (what == "retries") return ratio(conflicts(w, c), accesses(w, c))
    if (what == "average") return have(w, c, "registers_average") / 1024
    if (what == "peak") return have(w, c, "registers_peak") / 1024
    if (what == "logical") return have(w, c, "registers_logical_average") / 1024
    if (what == "low") return ratio(have(w, c, "low_register_cycles"), have(w, c, "cycles"))
    if (what == "over") return ratio(have(w, c, "over_limit_cycles"), have(w, c, "cycles"))
    if (what == "over_by") return have(w, c, "registers_over_limit_average") / 1024
    if (what == "full") return ratio(have(w, c, "barrier_count_full"), memory_of[w])
    if (what == "repeated" || what == "repeated_often" || what == "repeated_near")
        return ratio(have(w, c, what), have(w, c, "repeat_instructions"))
    if (what ~ /^(kind|repeats)_/ || what ~ /^(source_|load_guarded|loads_off|repeats_reused)/) return ratio(have(w, c, what), n)
    if (what == "missed_repeats") return ratio(have(w, c, "repeats_looked_up") - have(w, c, "repeats_reused_at_once"), n)
    if (what == "banks_energy") return against(w, c, "energy_banks_uj")
    if (what == "added_energy") return ratio(have(w, c, "energy_added_uj"), have(w, base_of(c), "energy_banks_uj"))
    if (what == "energy") return figure("banks_energy", w, c) + figure("added_energy", w, c)
    if (what ~ /^pj_/) return ratio(part_energy(substr(what, 4), w, c) * 1e-6, have(w, base_of(c), "energy_banks_uj"))
    if (what ~ /^ops_/) return ratio(operations(substr(what, 5), w, c), n)
    die("no figure " what)
}
# Operations of the units of Table III, and their picojoules.
function operations(unit, w, c) {
    if (unit == "rename") return have(w, c, "rename_reads") + have(w, c, "rename_writes")
    if (unit == "reuse") return have(w, c, "reuse_buffer_reads") + have(w, c, "reuse_buffer_writes")
    if (unit == "hash") return have(w, c, "hashed")
    if (unit == "vsb") return have(w, c, "vsb_reads") + have(w, c, "vsb_writes")
    if (unit == "pool") return have(w, c, "register_pool_operations")
    if (unit == "reference") return have(w, c, "reference_operations")
    if (unit == "cache") return have(w, c, "verify_cache_reads") + have(w, c, "verify_cache_writes")
    die("no unit " unit)
}
function price(unit) {
    if (unit == "rename") return pj_rename
    if (unit == "reuse") return pj_reuse
    if (unit == "hash") return pj_hash
    if (unit == "vsb") return pj_vsb
    if (unit == "pool") return pj_pool
    return unit == "reference" ? pj_reference : pj_cache
}
function part_energy(unit, w, c) { return price(unit) * operations(unit, w, c) }
function gain(w, c, set) { return faster_of(w, c, base_of(c), set) - 1 }
function gain_mean(c) { return gain(0, c, "kernel") }
# IPC against no reuse with the least latency that the model has.
function against_least(c) { return faster_mean(c, "base_delay3", "kernel") - 1 }
function most(what, c, sign,    w, at) {
    for (w = 1; w <= workloads; w++)
        if (kind[w] == "kernel" && (at == 0 || sign * figure(what, w, c) > sign * figure(what, at, c))) at = w
    return at
}
function m(what, c) { return mean(what, c, "kernel") }
# Of what RLP adds to the retries of base, the part that c removes.
function removed(c,    added) {
    added = m("retries", "rlp") - m("retries", "base")
    return added > 0 ? 1 - (m("retries", c) - m("retries", "base")) / added : 0
}
# Kernels whose IPC in c is within 10 % of no reuse; in which `what` of c is below that of d.
function within_10(c,    w, n) {
    for (w = 1; w <= workloads; w++)
        n += kind[w] == "kernel" && figure("ipc_gain", w, c) <= 0.1 && figure("ipc_gain", w, c) >= -0.1
    return n + 0
}
# The counters must be of one world: every instruction has one kind, and what may be looked up one fate.
function check_kinds(    w, i, n, kinds, sum) {
    n = split(kind_list, kinds, " ")
    for (w = 1; w <= workloads; w++) {
        sum = 0
        for (i = 1; i <= n; i++) sum += have(w, "main", "kind_" kinds[i])
        if (sum != instructions(w, "main")) die("the kinds of " name[w] " are " sum " instructions")
        sum = 0
        n_fates = split(fate_list, fate, " ")
        for (i = 1; i <= n_fates; i++) sum += have(w, "main", fate[i])
        if (sum != have(w, "main", "kind_may_look_up")) die("the fates of " name[w] " are " sum " instructions")
    }
}

# ---- verdicts ----

function point_text(x) { return sprintf("%+.1f points", 100 * x) }
function claim(text, paper, ours, tolerance, verdict) {
    summary = summary sprintf("| %s | %s | %s | %s | %s |\n", text, paper, ours, tolerance, verdict)
    printf "%-100s %12s %26s  %s\n", text, paper, ours, verdict
    note(verdict, text)
}
function claim_value(text, paper, ours, near) {
    claim(text, percent(paper), percent(ours), points(near), value(ours, paper, near))
}
function claim_effect(text, paper, ours, near) {
    claim(text, signed(paper), signed(ours), points(near), effect(ours, paper, near))
}
function claim_true(text, paper, ours, holds) { claim(text, paper, ours, "", judged(holds)) }

function claims(    w, a, b, c, n, i) {
    split(memory, memory_of, ",")
    split(counts, count_of, ",")
    split(slots, slots_of, ",")
    kind_list = "may_look_up control_flow stores no_result partial_mask wide_result cracked hidden_input unnamed_space " \
        "no_values special_register several_constants no_number"
    fate_list = "source_not_mapped source_pinned loads_off load_guarded looked_up"
    check_kinds()

    claim_value("repeated computations in windows of 1K instructions (III-A, Fig. 2)", 0.314, m("repeated", "main"), 0.05)
    claim_value("computations repeated more than 10 times (III-A)", 0.16, m("repeated_often", "main"), 0.05)
    claim_value("instructions that reuse, 256 entries (VII-B)", 0.187, m("reused", "main"), 0.03)
    claim_true("instructions that reuse, 512 entries (VII-G2)", "> 20 %", percent(m("reused", "entries512")),
        m("reused", "entries512") > 0.2)
    a = 1
    for (i = 2; i <= 5; i++) if (m("reused", entries_name(2 ^ (i + 4))) <= m("reused", entries_name(2 ^ (i + 3))) + 0.0005) a = 0
    claim_true("more entries, more reuse, from 32 to 512 (VII-G2, Fig. 21)", "yes", a ? "yes" : "not so", a)
    a = ratio(m("reused", "main"), m("reused", "misses256")) - 1
    claim_effect("more hits by pending-retry (VI-B)", 0.151, a, 0.05)
    b = m("reused", "misses512")
    claim("pending-retry with 256 entries reuses what 512 do without (VI-B, VII-G2)", "as much",
        percent(m("reused", "main")) " and " percent(b), "a tenth", value(ratio(m("reused", "main"), b), 1, 0.1))
    claim_true("instructions that reuse without value signature buffer (VII-B)", "< 2 %", percent(m("reused", "novsb")),
        m("reused", "novsb") < 0.02)
    w = most("memory", "main", -1)
    a = figure("memory", w, "main")
    claim("memory instructions executed, RLPV, the most saved (VII-B)", signed(-0.324), signed(a) " (" name[w] ")", points(0.1),
        effect(a, -0.324, 0.1))
    a = m("reused", "rlpvc") - m("reused", "main")
    claim_true("capped-register reuses only slightly less (VII-B; within a tenth of it)", "yes", point_text(a),
        a <= 0.0005 && -a <= 0.1 * m("reused", "main"))
    claim_effect("dummy MOVs, of all instructions (VII-B)", 0.016, m("dummy", "main"), 0.01)
    claim_true("dummy MOVs, of all instructions (V-D)", "< 2 %", percent(m("dummy", "main")), m("dummy", "main") < 0.02)

    claim_true("results that find their value, 128 entries (VII-G1, Fig. 20)", "> 50 %", percent(m("vsb", "vsb128")),
        m("vsb", "vsb128") > 0.5)
    a = ratio(m("vsb", "vsb512") - m("vsb", "main"), m("vsb", "vsb512"))
    claim_true("the hit rate begins to saturate at 256: more by 512, of all (VII-G1)", "little", percent(a), a <= 0.05)
    claim_value("verify-reads in RLP, of base's writes (VII-D, Fig. 18a)", 0.48, m("verify", "rlp"), 0.05)
    a = m("retries", "rlp") - m("retries", "base")
    claim_true("bank conflicts an access: more in RLP than in base (VII-D, Fig. 18b)", "more",
        sprintf("%.3f, base %.3f", m("retries", "rlp"), m("retries", "base")), a > 0.0005)
    if (a > 0.0005) {
        claim_value("of these additional conflicts, removed by 8 lines of verify cache (VII-D)", 0.5, removed("main"), 0.1)
        claim_true("16 lines remove hardly more (VII-D)", "marginal", point_text(removed("vcache16") - removed("main")),
            removed("vcache16") - removed("main") <= 0.1)
    }

    claim_true("physical registers in use on average: RLPV below base (VII-F, Fig. 19)", "less",
        percent(m("average", "main")) " of 1024, base " percent(m("logical", "base")), m("average", "main") < m("logical", "base"))
    claim_true("physical registers in use on average: RLPVc below base (VII-F)", "less", percent(m("average", "rlpvc")) " of 1024",
        m("average", "rlpvc") < m("logical", "base"))
    claim_true("capped-register keeps the usage within the logical registers (V-E, VII-F)", "yes",
        "not in " percent(m("over", "rlpvc")) " of the cycles", m("over", "rlpvc") <= 0.0005)

    n = within_10("main")
    claim_true("IPC within 10 % of base, applications (VII-D)", "the majority", n " of " kernels, 2 * n > kernels)
    w = most("ipc_gain", "main", 1)
    claim("IPC, the largest gain (VII-D: leukocyte)", signed(1.032), signed(figure("ipc_gain", w, "main")) " (" name[w] ")",
        points(0.1), effect(figure("ipc_gain", w, "main"), 1.032, 0.1))
    w = most("ipc_gain", "rlp", -1)
    claim_true("the slowest in RLP gains by the verify cache (VII-D: GA, BO, BF)", "yes",
        signed(figure("ipc_gain", w, "rlp")) ", then " signed(figure("ipc_gain", w, "main")) " (" name[w] ")",
        figure("ipc_gain", w, "main") > figure("ipc_gain", w, "rlp") + 0.0005)
    a = 1
    for (i = 3; i <= 7; i++) if (against_least(delay_name(i)) < -0.0005) a = 0
    claim_true("mean IPC at least base's with a delay of 3 to 7 (VII-G3, Fig. 22)", "yes",
        signed(against_least("delay3")) " to " signed(against_least("delay7")), a)
    a = 1
    for (i = 4; i <= 7; i++) if (against_least(delay_name(i)) > against_least(delay_name(i - 1)) + 0.0005) a = 0
    claim_true("and it falls with the delay (Fig. 22)", "yes", a ? "yes" : "not so", a)
}
function entries_name(n) { return n == 256 ? "main" : "entries" n }
function vsb_name(n) { return n == 256 ? "main" : n == 0 ? "vsb0" : "vsb" n }
function delay_name(n) { return n == 4 ? "main" : "delay" n }
function base_delay(n) { return n == 4 ? "base" : "base_delay" n }

# ---- tables ----

function row_of(title, c, set) {
    return sprintf("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", title, percent(mean("reused", c, set)),
        percent(mean("waited", c, set)), percent(mean("of_looked", c, set)), percent(mean("vsb", c, set)),
        signed(mean("executed", c, set)), signed(mean("reads", c, set)), signed(mean("writes", c, set)),
        signed(mean("memory", c, set)), sprintf("%.3f", mean("retries", c, set)), percent(mean("average", c, set)),
        percent(mean("peak", c, set)), signed(gain(0, c, set)))
}
function models(set) {
    return row_of("NoVSB", "novsb", set) row_of("R", "r", set) row_of("RL", "rl", set) row_of("RLP", "rlp", set) row_of("RPV",
        "rpv", set) row_of("**RLPV**", "main", set) row_of("RLPVc", "rlpvc", set)
}
function entries_rows(    n, text) {
    for (n = 32; n <= 512; n *= 2)
        text = text sprintf("| %d%s | %s | %s | %s | %s |\n", n, n == 256 ? " (used)" : "", percent(m("reused", entries_name(n))),
            percent(m("waited", entries_name(n))), n < 128 ? "" : percent(m("reused", "misses" n)),
            n < 128 ? "" : signed(ratio(m("reused", entries_name(n)), m("reused", "misses" n)) - 1))
    return text
}
function vsb_rows(    n, i, list, text) {
    n = split("0 16 32 64 128 256 512", list, " ")
    for (i = 1; i <= n; i++)
        text = text sprintf("| %d%s | %s | %s | %s | %s |\n", list[i], list[i] == 256 ? " (used)" : "",
            percent(m("vsb", vsb_name(list[i]))), percent(m("shared", vsb_name(list[i]))), percent(m("reused", vsb_name(list[i]))),
            signed(m("writes", vsb_name(list[i]))))
    return text
}
function cache_row(title, c) {
    return sprintf("| %s | %s | %s | %.3f | %s | %s |\n", title, percent(m("verify", c)), percent(m("cached", c)), m("retries", c),
        c == "base" || c == "rlp" ? "" : percent(removed(c)), c == "base" ? "" : signed(gain_mean(c)))
}
function limit_row(title, c) {
    return sprintf("| %s | %s | %s | %s | %s | %s | %s | %.3f | %.3f | %.3f | %s |\n", title, percent(m("issues", c)),
        percent(m("stall_front", c)), percent(m("stall_release", c)), percent(m("stall_hazard", c)),
        percent(m("stall_no_instruction", c)), percent(m("stall_drained", c)),
        m("conflicts_read_read", c) - m("verify_conflicts", c),
        m("verify_conflicts", c), m("conflicts_write_write", c), c ~ /^base/ ? "" : signed(gain_mean(c)))
}
function limits() {
    return limit_row("base, delay 3", "base_delay3") limit_row("base", "base") limit_row("NoVSB", "novsb") limit_row("R",
        "r") limit_row("RL", "rl") limit_row("RLP", "rlp") limit_row("RLPV", "main") limit_row("RLPVc", "rlpvc")
}
function delay_rows(    n, text) {
    for (n = 3; n <= 7; n++)
        text = text sprintf("| %d%s | %s | %s | %s |\n", n, n == 4 ? " (used)" : "",
            n == 3 ? "" : signed(faster_mean(base_delay(n), "base_delay3", "kernel") - 1), signed(against_least(delay_name(n))),
            signed(faster_mean(delay_name(n), base_delay(n), "kernel") - 1))
    return text
}
function load_row(title, c, misses) {
    return sprintf("| %s | %s | %s | %s | %s | %s | %s |\n", title, percent(m("reused", c)), percent(m("waited", c)),
        percent(m("reused", misses)), signed(ratio(m("reused", c), m("reused", misses)) - 1), signed(m("memory", c)),
        signed(gain_mean(c)))
}
function kind_row(title, key, why) {
    return sprintf("| %s | %s | %s | %s | %s |\n", title, why, percent(m("kind_" key, "main")), percent(m("repeats_" key, "main")),
        traces > 0 ? percent(mean("kind_" key, "main", "trace")) : "")
}
function kinds_rows(    text) {
    text = kind_row("control flow", "control_flow", "[WIR III-A, VI]")
    text = text kind_row("stores, atomic operations", "stores", "[WIR III-A]")
    text = text kind_row("no register written", "no_result",
        "compares: in PTX they write predicates, apart from the register file")
    text = text kind_row("some lanes only", "partial_mask", "[WIR V-D]")
    text = text kind_row("result of two words or more", "wide_result",
        "64-bit addresses, f64, vector loads: several uops, each with a part of the result")
    text = text kind_row("more sources than slots", "cracked", "several uops")
    text = text kind_row("hidden input", "hidden_input", "depends on predicates, carries, other lanes: selp, shfl")
    text = text kind_row("memory, space not named", "unnamed_space", "generic or local address")
    text = text kind_row("result not known", "no_values", "traces without values: loads, and what has no source")
    text = text kind_row("special register", "special_register",
        "reads threadIdx and the like alone: nothing that a tag could hold")
    text = text kind_row("several constants", "several_constants", "a tag has 10 bits an operand")
    text = text kind_row("no number left", "no_number", "more functions or constants than 8 and 10 bits can tell")
    return text kind_row("**may be looked up**", "may_look_up", "the rest")
}
function fate_row(title, key) {
    return sprintf("| %s | %s | %s |\n", title, percent(m(key, "main")), traces > 0 ? percent(mean(key, "main", "trace")) : "")
}
function fates_rows() {
    return fate_row("a source is not mapped yet", "source_not_mapped") \
        fate_row("a source is pinned (divergence, V-D)", "source_pinned") \
        fate_row("a load, the store flags or barrier count forbid it (VI-A)", "load_guarded") fate_row("**looked up**", "looked")
}
function energy_row(title, unit,    joules) {
    return sprintf("| %s | %s | %.2f | %s |\n", title, price(unit), m("ops_" unit, "main"), signed(m("pj_" unit, "main")))
}
function energy_rows() {
    return energy_row("rename tables", "rename") energy_row("reuse buffer", "reuse") energy_row("hash generation",
        "hash") energy_row("value signature buffer", "vsb") energy_row("register allocator", "pool") energy_row("reference count",
        "reference") energy_row("verify cache", "cache")
}
function energy_model(title, c) {
    return sprintf("| %s | %s | %s | %s |\n", title, signed(m("banks_energy", c)), signed(m("added_energy", c)),
        signed(m("energy", c)))
}
# Instructions of one or several kinds.
function kind_of(list, w, set,    i, n, item, sum) {
    n = split(list, item, " ")
    for (i = 1; i <= n; i++) sum += of("kind_" item[i], w, "main", set)
    return percent(sum)
}
function line(table, title, w, set,    text) {
    if (table == "reuse") {
        text = sprintf("| %s | %s | %s | %s | %s | %s | %s | %s |", title, percent(of("repeated", w, "main", set)),
            percent(of("repeated_often", w, "main", set)), percent(of("looked", w, "main", set)),
            percent(of("reused", w, "main", set)), percent(of("waited", w, "main", set)),
            percent(of("reused", w, "full", set)), percent(of("reused", w, "rlpvc", set)))
        return text sprintf(" %s | %s | %s | %s |\n", percent(of("reused", w, "r", set)), percent(of("reused", w, "novsb", set)),
            percent(of("vsb", w, "main", set)), percent(of("dummy", w, "main", set)))
    }
    if (table == "kinds") {
        text = sprintf("| %s | %s | %s | %s | %s |", title, kind_of("control_flow", w, set), kind_of("stores", w, set),
            kind_of("no_result", w, set), kind_of("partial_mask", w, set))
        text = text sprintf(" %s | %s | %s | %s |", kind_of("wide_result cracked", w, set),
            kind_of("hidden_input unnamed_space no_values", w, set), kind_of("special_register several_constants", w, set),
            kind_of("no_number", w, set))
        return text sprintf(" %s | %s |\n", percent(of("kind_may_look_up", w, "main", set) - of("looked", w, "main", set)),
            percent(of("looked", w, "main", set)))
    }
    text = sprintf("| %s | %s | %s | %s | %s |", title, w > 0 ? slots_of[w] " x " count_of[w] : "",
        w > 0 ? have(w, "base", "cycles") : "", signed(gain(w, "r", set)), signed(gain(w, "rlp", set)))
    text = text sprintf(" %s | %s | %s | %s | %s | %s | %s |", signed(gain(w, "main", set)), signed(gain(w, "rlpvc", set)),
        signed(of("executed", w, "main", set)), signed(of("reads", w, "main", set)), signed(of("writes", w, "main", set)),
        signed(of("memory", w, "main", set)), percent(of("logical", w, "main", set)))
    text = text sprintf(" %s | %s | %s | %s |", percent(of("average", w, "main", set)), percent(of("peak", w, "main", set)),
        percent(of("low", w, "main", set)), percent(of("average", w, "rlpvc", set)))
    return text sprintf(" %s | %s |\n", signed(of("banks_energy", w, "main", set)), signed(of("added_energy", w, "main", set)))
}

# ---- plots ----

function kinds_bars(y, w, set,    i, x, class, part, n) {
    part[1] = of("looked", w, "main", set)
    part[2] = of("kind_wide_result", w, "main", set) + of("kind_cracked", w, "main", set)
    part[3] = of("kind_partial_mask", w, "main", set)
    part[5] = of("kind_control_flow", w, "main", set) + of("kind_stores", w, "main", set) + of("kind_no_result", w, "main", set)
    part[4] = 1 - part[1] - part[2] - part[3] - part[5]
    n = split("c1 c2 c3 c4 c0", class, " ")
    x = 0
    for (i = 1; i <= n; i++) {
        svg_bar(px(100 * x), y + 3, px(100 * (x + part[i])) - px(100 * x), row_high - 6, class[i])
        x += part[i]
    }
}
function draw_row(picture, y, w, set,    mid, x) {
    mid = y + row_high / 2
    if (picture == "reused") {
        svg_bar(px(0), y + 4, px(100 * of("reused", w, "main", set)) - px(0), row_high - 8, "c1")
        svg_dot(px(100 * of("repeated", w, "main", set)), mid, "c0")
        svg_dot(px(100 * of("looked", w, "main", set)), mid, "c2")
    } else if (picture == "kinds") {
        kinds_bars(y, w, set)
    } else if (picture == "operations") {
        svg_dot(px(100 + 100 * of("memory", w, "main", set)), mid, "c4")
        svg_dot(px(100 + 100 * of("writes", w, "main", set)), mid, "c3")
        svg_dot(px(100 + 100 * of("reads", w, "main", set)), mid, "c2")
        svg_dot(px(100 + 100 * of("executed", w, "main", set)), mid, "c1")
    } else if (picture == "ipc") {
        svg_dot(px(100 * gain(w, "rlp", set)), mid, "c2")
        svg_dot(px(100 * gain(w, "rlpvc", set)), mid, "c0")
        svg_dot(px(100 * gain(w, "main", set)), mid, "c1")
    } else {
        x = 1 + of("banks_energy", w, "main", set)
        svg_bar(px(0), y + 3, px(100 * x) - px(0), row_high - 6, "c1")
        svg_bar(px(100 * x), y + 3, px(100 * (x + of("added_energy", w, "main", set))) - px(100 * x), row_high - 6, "c2")
    }
}
function axis_at(x) { svg_line(px(x), row_top, px(x), row_top + row_high * (workloads + 1 + (traces > 0)) + 6, "axis", "") }
# A share over sizes: `list` of sizes with their configurations, in one or two lines.
function top_of(list, n,    i, high) {
    high = 0
    for (i = 1; i <= n; i++) if (list[i] > high) high = list[i]
    return high
}
function plots(    x, i, n, list, one, two, low, high, w, c, k) {
    rows_open("wir-reused.svg", "Instructions that reuse an earlier result", "[WIR Fig. 2 and 12]; RLPV, 256 entries", 1, 0, 100,
        "of all warp instructions, %", "%.0f", 18)
    x = svg_key(row_left, 62, "bar", "c1", "reused")
    x = svg_key(x, 62, "dot", "c0", "repeated within 1K instructions")
    x = svg_key(x, 62, "dot", "c2", "looked up")
    each_row("reused")
    svg_close()

    rows_open("wir-kinds.svg", "What is looked up, and what is not", "first reason that applies; see the table", 1, 0, 100,
        "of all warp instructions, %", "%.0f", 18)
    x = svg_key(row_left, 62, "bar", "c1", "looked up")
    x = svg_key(x, 62, "bar", "c2", "two words")
    x = svg_key(x, 62, "bar", "c3", "some lanes")
    x = svg_key(x, 62, "bar", "c4", "other reasons")
    x = svg_key(x, 62, "bar", "c0", "no result, flow, stores")
    each_row("kinds")
    svg_close()

    high = 110
    low = 0
    for (w = 1; w <= workloads; w++) {
        n = split("memory writes reads executed", c, " ")
        for (k = 1; k <= n; k++) while (100 + 100 * figure(c[k], w, "main") > high) high += 10
    }
    rows_open("wir-operations.svg", "Backend operations of RLPV, no reuse = 100", "[WIR Fig. 13]", 1, low, high,
        "operations, % of base's", "%.0f", 18)
    axis_at(100)
    x = svg_key(row_left, 62, "dot", "c1", "executed uops")
    x = svg_key(x, 62, "dot", "c2", "bank reads")
    x = svg_key(x, 62, "dot", "c3", "bank writes")
    x = svg_key(x, 62, "dot", "c4", "memory instructions")
    each_row("operations")
    svg_close()

    low = -5; high = 5
    n = split("main rlp rlpvc", c, " ")
    for (w = 1; w <= workloads; w++)
        for (i = 1; i <= n; i++) {
            x = 100 * gain(w, c[i], "")
            while (x < low) low -= 5
            while (x > high) high += 5
        }
    rows_open("wir-ipc.svg", "IPC against no reuse", "[WIR Fig. 17]; both with the latency of the added stages", 1, low, high,
        "IPC against base, %", "%.0f", 18)
    axis_at(0)
    x = svg_key(row_left, 62, "dot", "c1", "RLPV")
    x = svg_key(x, 62, "dot", "c2", "RLP")
    x = svg_key(x, 62, "dot", "c0", "RLPVc")
    each_row("ipc")
    svg_close()

    high = 100
    for (w = 1; w <= workloads; w++) while (100 + 100 * figure("energy", w, "main") > high) high += 10
    rows_open("wir-energy.svg", "Energy of banks and added units, base's banks = 100",
        "counts times picojoules; no execution units", 1, 0, high, "energy, % of base's banks", "%.0f", 18)
    axis_at(100)
    x = svg_key(row_left, 62, "bar", "c1", "banks")
    x = svg_key(x, 62, "bar", "c2", "units that reuse adds")
    each_row("energy")
    svg_close()

    for (i = 1; i <= 5; i++) {
        one[i] = 100 * m("reused", entries_name(2 ^ (i + 4)))
        two[i] = one[i] - 100 * m("waited", entries_name(2 ^ (i + 4)))
    }
    chart_open("wir-entries.svg", "Instructions that reuse against entries of the reuse buffer",
        "[WIR Fig. 21]; mean of the kernels", 1, 0, int(top_of(one, 5) * 1.25) + 1, "of all instructions, %", "%.0f",
        "32 64 128 256 512", "entries")
    x = svg_key(80, 64, "line", "c1", "reused")
    x = svg_key(x, 64, "line", "c2", "of them at once, not from the pending queue")
    chart_line(two, "c2", 0)
    chart_line(one, "c1", 0)
    svg_close()

    n = split("0 16 32 64 128 256 512", list, " ")
    for (i = 1; i <= n; i++) {
        one[i] = 100 * m("vsb", vsb_name(list[i]))
        two[i] = 100 * m("reused", vsb_name(list[i]))
    }
    chart_open("wir-vsb.svg", "Value signature buffer: hits against entries", "[WIR Fig. 20]; mean of the kernels", 1, 0, 100,
        "%", "%.0f", "0 16 32 64 128 256 512", "entries")
    x = svg_key(80, 64, "line", "c1", "of the hashed results, hit")
    x = svg_key(x, 64, "line", "c2", "of all instructions, reused")
    chart_line(one, "c1", 0)
    chart_line(two, "c2", 0)
    svg_close()

    low = 0; high = 0.02
    for (i = 1; i <= 5; i++) {
        one[i] = 1 + against_least(delay_name(i + 2))
        two[i] = 1 + (i == 1 ? 0 : faster_mean(base_delay(i + 2), "base_delay3", "kernel") - 1)
        if (one[i] - 1 < low) low = one[i] - 1
        if (two[i] - 1 < low) low = two[i] - 1
        if (one[i] - 1 > high) high = one[i] - 1
    }
    chart_open("wir-delay.svg", "IPC against cycles that the added stages take", "[WIR Fig. 22]; 1: no reuse, 3 cycles", 1,
        1 + int(low * 50 - 0.99) / 50, 1 + int(high * 50 + 0.99) / 50, "IPC, 1 = base", "%.2f", "3 4 5 6 7", "cycles")
    x = svg_key(80, 64, "line", "c1", "RLPV")
    x = svg_key(x, 64, "line", "c0", "no reuse, as many cycles")
    chart_line(two, "c0", 0)
    chart_line(one, "c1", 0)
    svg_close()
}

# ---- the text ----

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
}
# The kernels with the most and the least of it.
function spread(what, c,    most_w, least_w) {
    most_w = most(what, c, 1)
    least_w = most(what, c, -1)
    return percent(figure(what, most_w, c)) " (" name[most_w] ") to " percent(figure(what, least_w, c)) " (" name[least_w] ")"
}
# The two kernels that reuse most after waiting, and their share of all that kernels reuse so.
function waiters(    w, first, second, sum) {
    for (w = 1; w <= workloads; w++) {
        if (kind[w] != "kernel") continue
        sum += figure("waited", w, "main")
        if (!first || figure("waited", w, "main") > figure("waited", first, "main")) { second = first; first = w }
        else if (!second || figure("waited", w, "main") > figure("waited", second, "main")) second = w
    }
    return percent(ratio(figure("waited", first, "main") + figure("waited", second, "main"), sum)) " of it is " name[first] " and " \
        name[second]
}
# The kernels of which a barrier count gets full, and the share of memory instructions that it keeps from the buffer.
function full_words(    w, text) {
    for (w = 1; w <= workloads; w++)
        if (kind[w] == "kernel" && have(w, "main", "barrier_count_full") > 0)
            text = text sprintf("%s%s (%s)", text == "" ? "" : ", ", name[w], percent(figure("full", w, "main")))
    return text == "" ? "none" : text
}
# Whether reuse within what is looked up, or what is looked up at all, keeps ours below the paper's.
function named(list,    i, n, item, w, text) {
    n = split(list, item, " ")
    for (i = 1; i <= n; i++)
        for (w = 1; w <= workloads; w++)
            if (name[w] == item[i])
                text = text sprintf("%s%s %s of %s", text == "" ? "" : ", ", name[w], percent(figure("reused", w, "main")),
                    percent(figure("repeated", w, "main")))
    return text
}
function others() {
    return row_of("RLPV", "main", "kernel") row_of("48 warps, REGS=63", "full", "kernel") row_of("loose round-robin", "lrr",
        "kernel") row_of("pending queue of 16 a group", "queue16", "kernel")
}
function words(    w, n, sum, i, kinds, c) {
    cycles_words()
    put["summary"] = summary
    put["models"] = models("kernel")
    put["trace_models"] = traces > 0 ? models("trace") : "| no traces | | | | | | | | | | | | |\n"
    put["entries"] = entries_rows()
    put["vsbs"] = vsb_rows()
    put["caches"] = cache_row("base", "base") cache_row("RLP: none", "rlp") cache_row("8 (used)",
        "main") cache_row("16", "vcache16")
    put["limits"] = limits()
    put["delays"] = delay_rows()
    put["loads"] = load_row(load, "main", "misses256") load_row("400", "load400",
        "misses_load400")
    put["others"] = others()
    put["kinds"] = kinds_rows()
    put["fates"] = fates_rows()
    put["energies"] = energy_rows()
    put["energy_models"] = energy_model("R", "r") energy_model("RLP", "rlp") energy_model("RPV", "rpv") energy_model("RLPV",
        "main") energy_model("RLPVc", "rlpvc") energy_model("NoVSB", "novsb")
    put["lines_reuse"] = lines("reuse")
    put["lines_kinds"] = lines("kinds")
    put["lines_run"] = lines("run")
    put["load"] = load
    put["pj_read"] = pj_read
    put["pj_write"] = pj_write
    put["bank_read"] = sprintf("%.2f", 8 * pj_read)
    put["bank_write"] = sprintf("%.2f", 8 * pj_write)
    put["reused"] = percent(m("reused", "main"))
    put["repeated"] = percent(m("repeated", "main"))
    put["near"] = percent(m("repeated_near", "main"))
    put["repeated_base"] = percent(m("repeated", "base"))
    put["repeated_full"] = percent(m("repeated", "full"))
    put["reused_full"] = percent(m("reused", "full"))
    put["looked"] = percent(m("looked", "main"))
    put["of_looked"] = percent(m("of_looked", "main"))
    put["paper_looked"] = percent(1 - m("kind_control_flow", "main") - m("kind_stores", "main") - m("kind_partial_mask", "main"))
    put["ours_out"] = percent(1 - m("kind_control_flow", "main") - m("kind_stores", "main") - m("kind_partial_mask",
        "main") - m("kind_may_look_up", "main"))
    put["wide"] = percent(m("kind_wide_result", "main"))
    put["wide_repeats"] = percent(m("repeats_wide_result", "main"))
    put["special_repeats"] = percent(m("repeats_special_register", "main"))
    put["no_result_repeats"] = percent(m("repeats_no_result", "main"))
    put["partial_repeats"] = percent(m("repeats_partial_mask", "main"))
    put["may_repeats"] = percent(m("repeats_may_look_up", "main"))
    put["missed_repeats"] = percent(m("missed_repeats", "main"))
    n = split(kind_list, kinds, " ")
    for (i = 1; i <= n; i++) if (kinds[i] != "may_look_up") sum += m("repeats_" kinds[i], "main")
    put["lost_repeats"] = percent(sum)
    put["no_result"] = percent(m("kind_no_result", "main"))
    put["special"] = percent(m("kind_special_register", "main"))
    put["constants"] = percent(m("kind_several_constants", "main"))
    put["hidden"] = percent(m("kind_hidden_input", "main"))
    put["retries_novsb"] = sprintf("%.3f", m("retries", "novsb"))
    put["retries_main"] = sprintf("%.3f", m("retries", "main"))
    put["retries_16"] = sprintf("%.3f", m("retries", "vcache16"))
    put["verify_16"] = percent(m("verify", "vcache16"))
    put["low_main"] = percent(m("low", "main"))
    put["low_capped"] = percent(m("low", "rlpvc"))
    put["shared"] = percent(m("shared", "main"))
    put["hashed"] = percent(m("hashed", "main"))
    put["average_main"] = percent(m("average", "main"))
    put["average_capped"] = percent(m("average", "rlpvc"))
    put["peak_main"] = percent(m("peak", "main"))
    put["peak_capped"] = percent(m("peak", "rlpvc"))
    put["logical"] = percent(m("logical", "base"))
    put["over_capped"] = percent(m("over", "rlpvc"))
    put["over_by"] = percent(m("over_by", "rlpvc"))
    n = 0
    for (w = 1; w <= workloads; w++)
        n += kind[w] == "kernel" && have(w, "rlpvc", "registers_average") > have(w, "rlpvc", "registers_logical_average")
    put["over_kernels"] = n
    put["executed_main"] = signed(m("executed", "main"))
    put["executed_moves"] = signed(m("executed_moves", "main"))
    put["writes_main"] = signed(m("writes", "main"))
    put["writes_moves"] = signed(m("writes_moves", "main"))
    put["energy_moves"] = signed(m("energy_moves", "main"))
    put["full"] = full_words()
    put["vsb_spread"] = spread("vsb", "vsb128")
    n = 0
    for (w = 1; w <= workloads; w++) n += kind[w] == "kernel" && figure("vsb", w, "vsb128") > 0.5
    put["vsb_half"] = n
    put["vsb_main"] = percent(m("vsb", "main"))
    put["vsb_rlp"] = percent(m("vsb", "rlp"))
    put["verify_rlp"] = percent(m("verify", "rlp"))
    put["waiters"] = waiters()
    put["often_spread"] = spread("repeated_often", "main")
    put["low_rlpvc"] = percent(m("low", "rlpvc"))
    w = most("reused", "main", 1)
    put["most_reused"] = name[w] ", " percent(figure("reused", w, "main"))
    w = most("reused", "main", -1)
    put["least_reused"] = name[w] ", " percent(figure("reused", w, "main"))
    put["named"] = named("sobel gaussian backprop pathfinder lud kmeans needle spmv_scalar mriq sgemm lbm hotspot scan dct8x8 " \
        "bfs blackscholes")
    put["ipc_main"] = signed(gain_mean("main"))
    put["ipc_rlp"] = signed(gain_mean("rlp"))
    put["stages"] = signed(faster_mean("base", "base_delay3", "kernel") - 1)
    put["last_stages"] = signed(faster_mean("base_delay7", "base_delay3", "kernel") - 1)
    n = 0
    for (w = 1; w <= workloads; w++) n += kind[w] == "kernel" && figure("ipc_gain", w, "main") > 0.0005
    put["faster"] = n
    n = 0
    for (w = 1; w <= workloads; w++) n += kind[w] == "kernel" && figure("energy", w, "main") < 0
    put["saves"] = n
    put["energy"] = signed(m("energy", "main"))
    put["banks_energy"] = signed(m("banks_energy", "main"))
    put["added_energy"] = signed(m("added_energy", "main"))
    n = 0
    for (w = 1; w <= workloads; w++) n += instructions(w, "main") * (kind[w] == "kernel")
    put["instructions"] = sprintf("%.1f", n / 1e6)
    n = 0
    for (w = 1; w <= workloads; w++) n += have(w, "main", "collisions")
    put["collisions"] = n
}
