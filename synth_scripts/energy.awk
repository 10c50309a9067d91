# SPDX-License-Identifier: Apache-2.0
# From answers (kind, command, unit, parameters, inputs and a record of JSON, behind tabs) to the page of energies on the standard output and,
# in the file `data`, every figure of it in a line of its own. Also: cycles of random stimulus, the file of sets.
BEGIN { FS = OFS = "\t"; OFMT = "%.12g" }

# The value behind a key, from the first place of `after` on.
function value(json, after, key,    at, rest) {
    at = after == "" ? 1 : index(json, "\"" after "\":")
    if (at == 0) return ""
    rest = substr(json, at)
    at = index(rest, "\"" key "\":")
    if (at == 0) return ""
    rest = substr(rest, at + length(key) + 3)
    sub(/^"/, "", rest)
    sub(/["},].*/, "", rest)
    return rest
}
# The object behind a key, without its braces.
function object(json, key,    at, rest) {
    at = index(json, "\"" key "\":{")
    if (at == 0) return ""
    rest = substr(json, at + length(key) + 4)
    sub(/}.*/, "", rest)
    return rest
}
function number(x) { x += 0; return x == 0 ? "0" : x >= 1000 ? sprintf("%.0f", x) : x >= 100 ? sprintf("%.1f", x) : x >= 1 ? sprintf("%.2f", x) : sprintf("%.3f", x) }
function ratio(a, b) { return b > 0 ? sprintf("%.2f", a / b) : "" }
function tell(quantity, x, of) { print kind, unit, params, inputs, quantity, x, of > data }
# The largest owners of a record, which come first, with their share of the sum without leakage.
function where(json, all,    list, n, i, part, text) {
    n = split(object(json, "where"), list, ",")
    for (i = 1; i <= 3 && i <= n; i++) {
        match(list[i], /":[^"]*$/)
        part = substr(list[i], RSTART + 2) + 0
        if (part <= 0) break
        text = text (i > 1 ? ", " : "") "`" substr(list[i], 2, RSTART - 2) "` " sprintf("%.0f %%", 100 * part / all)
    }
    return text
}

{
    kind = $1; command = $2; unit = $3; params = $4; inputs = $5; json = $6
    sub(/.*\//, "", inputs)
    sub(/-[0-9]+\.rfs$/, "", inputs)
    id = kind SUBSEP unit SUBSEP params
    if (!(id in seen)) { seen[id] = 1; order[kind, ++count[kind]] = id; unit_of[id] = unit; params_of[id] = params }
    if (kind != "unit" && !((kind, inputs) in met)) { met[kind, inputs] = 1; kernel[kind, ++kernels[kind]] = inputs }
    if (command == "energy") {
        if (library == "") {
            library = value(json, "", "library")
            volts = value(json, "", "voltage")
            ns = value(json, "", "period_ns")
        }
        split("total clock flops logic switching leakage", keys, " ")
        for (i = 1; i <= 6; i++) tell("pj_a_cycle_" keys[i], got[id, inputs, keys[i]] = value(json, "pj_a_cycle", keys[i]), "pJ")
        tell("cycles", got[id, inputs, "cycles"] = value(json, "", "cycles"), "cycles")
        tell("checked_bits", value(json, "", "checked_bits"), "bits")
        tell("cells", got[id, inputs, "cells"] = value(json, "", "cells"), "cells")
        tell("flip_flops", got[id, inputs, "ffs"] = value(json, "", "flops"), "cells")
        tell("toggle_rate", got[id, inputs, "rate"] = value(json, "", "toggle_rate"), "toggles a net and cycle")
        tell("sram_macros", got[id, inputs, "macros"] = value(json, "macros", "count"), "macros")
        if (got[id, inputs, "macros"] + 0 > 0) {
            tell("sram_pj_a_cycle", got[id, inputs, "sram"] = value(json, "node_nm", "pj_a_cycle"), "pJ")
            node = value(json, "macros", "node_nm")
        }
        got[id, inputs, "where"] = where(json, got[id, inputs, "total"] - got[id, inputs, "leakage"])
        next
    }
    # Of a model: instructions, energies, and what has no price.
    counters = object(json, "counters")
    n = split(counters, list, ",")
    for (i = 1; i <= n; i++) {
        match(list[i], /":[^"]*$/)
        name = substr(list[i], 2, RSTART - 2)
        x = substr(list[i], RSTART + 2) + 0
        if (name == "warp_instructions") { got[id, inputs, "instructions"] = x; tell(name, x, "instructions") }
        else if (kind != "netlist" && name == "cycles") tell(name, x, "cycles")
        else if (name ~ /^energy.*_uj$/) { got[id, inputs, name] = x; tell("events_" substr(name, 1, length(name) - 3), x, "uJ"); if (x > 0) energies[id, name] = 1 }
        else if (name ~ /^unpriced_/) { got[id, inputs, name] = x; tell(name, x, "times"); if (!((id, name) in unpriced)) { unpriced[id, name] = 1; free[id, ++frees[id]] = name } }
    }
}

# nJ a warp instruction of an energy of a system's model; "" when it counts none.
function each(id, k, name) {
    return ((id, k, name) in got) ? number(1000 * got[id, k, name] / got[id, k, "instructions"]) : ""
}
# Prose in lines of up to 120 characters; `indent` before all but the first.
function prose(text, indent,   word, n, i, line) {
    n = split(text, word, " ")
    for (i = 1; i <= n; i++)
        if (line == "") line = word[i]
        else if (length(line) + 1 + length(word[i]) <= 120) line = line " " word[i]
        else { print line; line = indent word[i] }
    print line
}
function parameters(id) { return params_of[id] != "" ? params_of[id] : "defaults" }

END {
    print "<!-- made by synth_scripts/energy.sh (make energy-table): do not edit -->"
    print "# Energy, per unit and workload"
    print ""
    sub(/.*\//, "", library)
    prose("Two kinds of figures, which are neither added nor compared with each other ([energy.md](energy.md) says what each is). " \
        "*Toggles x library*: every net of a unit's mapped netlist, " library " at " volts " V and " ns " ns. *Events x picojoules*: what a " \
        "system's model counts, times what papers state. Units and kernels: `" sets "`; every figure, one a line: the `.tsv` beside this page.")

    if (count["unit"] > 0) {
        print ""
        print "## Units: toggles x library"
        print ""
        prose("Picojoules a cycle under the unit's own random stimulus, " cycles " cycles, and with idle inputs. Stimulus decides: compare " \
            "versions of a unit, and units of one contract, not a unit with another. SRAM macros are beside the total" \
            (node != "" ? ", in " node " nm." : "."))
        print ""
        print "| unit | parameters | total | clock | flip-flops | logic | switching | idle | cells | flip-flops | toggles a net | SRAM macros |"
        print "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
        for (i = 1; i <= count["unit"]; i++) {
            id = order["unit", i]
            printf "| `%s` | %s | %s | %s | %s | %s | %s | %s | %d | %d | %.3f | %s |\n", unit_of[id], params_of[id], number(got[id, "stimulus", "total"]), number(got[id, "stimulus", "clock"]), \
                number(got[id, "stimulus", "flops"]), number(got[id, "stimulus", "logic"]), number(got[id, "stimulus", "switching"]), number(got[id, "idle", "total"]), \
                got[id, "stimulus", "cells"], got[id, "stimulus", "ffs"], got[id, "stimulus", "rate"], (got[id, "stimulus", "macros"] + 0 > 0 ? number(got[id, "stimulus", "sram"]) : "")
        }
    }

    if (count["netlist"] > 0) {
        print ""
        print "## Systems on kernels: toggles x library"
        print ""
        prose("Small systems, whose registers are flip-flops, on whole kernels with small input; most of it is the clock of those " \
            "flip-flops. *An instruction*: the total over the whole run for each warp instruction.")
        print ""
        for (i = 1; i <= count["netlist"]; i++) prose("- `" unit_of[order["netlist", i]] "`: " parameters(order["netlist", i]), "  ")
        print ""
        print "| kernel | system | cycles | pJ a cycle | clock | flip-flops | logic | switching | nJ an instruction | where, without leakage |"
        print "|---|---|--:|--:|--:|--:|--:|--:|--:|---|"
        for (k = 1; k <= kernels["netlist"]; k++)
            for (i = 1; i <= count["netlist"]; i++) {
                id = order["netlist", i]
                on = kernel["netlist", k]
                printf "| %s | `%s` | %d | %s | %s | %s | %s | %s | %s | %s |\n", on, unit_of[id], got[id, on, "cycles"], number(got[id, on, "total"]), number(got[id, on, "clock"]), \
                    number(got[id, on, "flops"]), number(got[id, on, "logic"]), number(got[id, on, "switching"]), \
                    number(got[id, on, "total"] * got[id, on, "cycles"] / got[id, on, "instructions"] / 1000), got[id, on, "where"]
            }
    }

    if (count["model"] > 0) {
        print ""
        print "## Systems on kernels: events x picojoules of the papers"
        print ""
        prose("Nanojoules a warp instruction. `rf_banked`, `rf_steal` and `rf_malekeh` have the same prices and compare with each other; " \
            "`rf_wir` has others and compares with itself at `REUSE=0` ([prices](energy.md)). *Of stealing* is what stolen results add. " \
            "*Tags* are in no other figure.")
        print ""
        for (i = 1; i <= count["model"]; i++) prose("- `" unit_of[order["model", i]] "`: " parameters(order["model", i]), "  ")
        print ""
        head = "| kernel | instructions |"
        line = "|---|--:|"
        for (i = 1; i <= count["model"]; i++) {
            id = order["model", i]
            title = "`" unit_of[id] "`" (params_of[id] ~ /REUSE=0/ ? " `REUSE=0`" : "")
            m = split("energy_uj energy_of_stealing_uj energy_tags_uj energy_banks_uj energy_added_uj", names, " ")
            for (j = 1; j <= m; j++) {
                if (!((id, names[j]) in energies)) continue
                head = head " " title (j == 1 ? "" : j == 2 ? " of stealing" : j == 3 ? " tags" : j == 4 ? " banks" : " added units") " |"
                line = line "--:|"
                column[++columns] = id SUBSEP names[j]
            }
        }
        print head
        print line
        for (k = 1; k <= kernels["model"]; k++) {
            on = kernel["model", k]
            text = "| " on " | " got[order["model", 1], on, "instructions"] " |"
            for (c = 1; c <= columns; c++) {
                split(column[c], part, SUBSEP) # kind, unit, parameters, name
                text = text " " each(part[1] SUBSEP part[2] SUBSEP part[3], on, part[4]) " |"
            }
            print text
        }
        print ""
        print "**Price unknown: not counted.** No paper prices what follows; times a warp instruction:"
        print ""
        print "| system | what | least | most | of the kernels above |"
        print "|---|---|--:|--:|---|"
        for (i = 1; i <= count["model"]; i++) {
            id = order["model", i]
            if (frees[id] == 0) continue
            for (j = 1; j <= frees[id]; j++) {
                least = most = ""
                for (k = 1; k <= kernels["model"]; k++) {
                    on = kernel["model", k]
                    x = got[id, on, free[id, j]] / got[id, on, "instructions"]
                    if (least == "" || x < least) { least = x; at_least = on }
                    if (most == "" || x > most) { most = x; at_most = on }
                }
                what = substr(free[id, j], 10)
                gsub(/_/, " ", what)
                printf "| `%s` | %s | %.2f | %.2f | %s, %s |\n", unit_of[id], what, least, most, at_least, at_most
            }
        }
        print ""
        prose("Schedulers, scoreboards, clocks and leakage cost nothing here, nor do the arbiter, the pending queue and the release " \
            "walk of `rf_wir`.")
    }
}
