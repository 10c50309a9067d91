# SPDX-License-Identifier: Apache-2.0
# SVG for the pages about papers: one picture is open at a time; everything is in its pixels but `px`, which takes values of the x
# axis, and `py` of a chart. A page has `draw_row(picture, y, w, set)` for its pictures of a row a workload. Colours are classes, so
# that a picture follows the reader's light or dark theme; its own background keeps it legible on any page.
function svg_open(file, title, text, wide, high) {
    svg = page "/" file
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n",
        wide, high, wide, high >svg
    print "<title>" title "</title>" >svg
    print "<style>" >svg
    print ".back{fill:#ffffff}.ink{fill:#1f2328}.dim{fill:#59636e}.grid{stroke:#d1d9e0}.axis{stroke:#59636e}" >svg
    print ".c0{fill:#818b98}.c1{fill:#0969da}.c2{fill:#bc4c00}.c3{fill:#8250df}.c4{fill:#1a7f37}" >svg
    print ".l0{stroke:#818b98}.l1{stroke:#0969da}.l2{stroke:#bc4c00}.l3{stroke:#8250df}.l4{stroke:#1a7f37}.hollow{fill:none;stroke:#1f2328}" >svg
    print "@media (prefers-color-scheme:dark){.back{fill:#0d1117}.ink{fill:#f0f6fc}.dim{fill:#9198a1}.grid{stroke:#3d444d}.axis{stroke:#9198a1}" >svg
    print ".c0{fill:#9198a1}.c1{fill:#4493f8}.c2{fill:#f0883e}.c3{fill:#ab7df8}.c4{fill:#3fb950}" >svg
    print ".l0{stroke:#9198a1}.l1{stroke:#4493f8}.l2{stroke:#f0883e}.l3{stroke:#ab7df8}.l4{stroke:#3fb950}.hollow{stroke:#f0f6fc}}" >svg
    print "</style>" >svg
    printf "<rect class=\"back\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n", wide, high >svg
    svg_text(16, 24, "ink", "start", title, " font-size=\"15\" font-weight=\"bold\"")
    svg_text(16, 42, "dim", "start", text, "")
}
function svg_close() {
    print "</svg>" >svg
    close(svg)
}
function svg_text(x, y, class, anchor, text, more) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    printf "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\" text-anchor=\"%s\"%s>%s</text>\n", x, y, class, anchor, more, text >svg
}
function svg_line(x1, y1, x2, y2, class, more) {
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"%s/>\n", x1, y1, x2, y2, class, more >svg
}
function svg_bar(x, y, wide, high, class) {
    if (wide > 0.04) printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"/>\n", x, y, wide, high,
        class >svg
}
function svg_dot(x, y, class) { printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" class=\"%s\"/>\n", x, y, class >svg }
function svg_diamond(x, y) {
    printf "<path d=\"M%.1f %.1fl5 5l-5 5l-5 -5z\" class=\"hollow\" stroke-width=\"1.5\"/>\n", x, y - 5 >svg
}
# Legend entries from the left, each a swatch and its text; ends with what has been drawn so far.
function svg_key(x, y, shape, class, text) {
    if (shape == "bar") svg_bar(x, y - 9, 14, 10, class)
    else if (shape == "diamond") svg_diamond(x + 7, y - 4)
    else {
        if (shape == "line" || shape == "dashes") svg_line(x, y - 4, x + 18, y - 4, "l" substr(class, 2),
            " stroke-width=\"2\"" (shape == "dashes" ? " stroke-dasharray=\"5 3\"" : ""))
        svg_dot(x + (shape == "dot" ? 7 : 9), y - 4, class)
    }
    svg_text(x + 23, y, "ink", "start", text, "")
    return x + 42 + 7.2 * length(text)
}

# A round step that divides `range` into about `parts`.
function svg_step(range, parts,    step, unit) {
    unit = 1
    step = range / parts
    while (unit > step) unit /= 10
    while (unit * 10 <= step) unit *= 10
    return step <= unit ? unit : step <= 2 * unit ? 2 * unit : step <= 5 * unit ? 5 * unit : 10 * unit
}

# ---- horizontal: a row a workload, the x axis below ----

function rows_open(file, title, text, legend_lines, low, high, name, form, high_of_row,    i, x, y, step, at, count) {
    count = 0
    for (i = 1; i <= workloads; i++) count++
    count += (traces > 0) + 1
    row_high = high_of_row
    row_top = 54 + 18 * legend_lines
    row_left = 150
    row_right = 860
    x_low = low
    x_high = high
    svg_open(file, title, text, 900, row_top + row_high * count + 54)
    y = row_top + row_high * count + 6
    step = svg_step(high - low, 8)
    for (i = 0; low + i * step <= high + step / 100; i++) {
        at = low + i * step
        svg_line(px(at), row_top, px(at), y, "grid", "")
        svg_text(px(at), y + 15, "dim", "middle", sprintf(form, at), "")
    }
    svg_line(row_left, y, row_right, y, "axis", "")
    svg_text((row_left + row_right) / 2, y + 36, "ink", "middle", name, "")
    row_at = row_top
}
function px(value) {
    value = value < x_low ? x_low : value > x_high ? x_high : value
    return row_left + (row_right - row_left) * (value - x_low) / (x_high - x_low)
}
# The next row: its text; returns the y of its upper edge.
function row(text, strong,    y) {
    y = row_at
    svg_text(row_left - 8, y + row_high / 2 + 4, "ink", "end", text, strong ? " font-weight=\"bold\"" : "")
    row_at += row_high
    return y
}

# The rows of a picture over workloads: `w` of them, then the means.
function each_row(picture,    w) {
    for (w = 1; w <= workloads; w++) {
        if (w > 1 && kind[w] != kind[w - 1]) draw_row(picture, row("mean, kernels", 1), 0, "kernel")
        draw_row(picture, row(name[w], 0), w, "")
    }
    if (traces == 0) draw_row(picture, row("mean, kernels", 1), 0, "kernel")
    else draw_row(picture, row("mean, traces", 1), 0, "trace")
}

# ---- lines over a few points, `labels` their names ----

function chart_open(file, title, text, legend_lines, low, high, y_name, form, labels, x_name,    i, step, at, label) {
    chart_top = 58 + 18 * legend_lines
    chart_bottom = chart_top + 280
    y_low = low
    y_high = high
    chart_points = split(labels, label, " ")
    svg_open(file, title, text, 720, chart_bottom + 54)
    step = svg_step(high - low, 7)
    for (i = int(low / step + 0.999); i * step <= high + step / 100; i++) {
        at = i * step
        svg_line(80, py(at), 690, py(at), "grid", "")
        svg_text(72, py(at) + 4, "dim", "end", sprintf(form, at), "")
    }
    svg_line(80, chart_bottom, 690, chart_bottom, "axis", "")
    for (i = 1; i <= chart_points; i++) svg_text(bx(i), chart_bottom + 18, "dim", "middle", label[i], "")
    svg_text(385, chart_bottom + 40, "ink", "middle", x_name, "")
    svg_text(22, (chart_top + chart_bottom) / 2, "ink", "middle", y_name, sprintf(" transform=\"rotate(-90 22 %.1f)\"",
        (chart_top + chart_bottom) / 2))
}
function py(value) { return chart_bottom - (chart_bottom - chart_top) * (value - y_low) / (y_high - y_low) }
function bx(i) { return 140 + 495 * (i - 1) / (chart_points - 1) }
# A line through `at[1..chart_points]`.
function chart_line(at, class, dashes,    i) {
    for (i = 1; i < chart_points; i++)
        svg_line(bx(i), py(at[i]), bx(i + 1), py(at[i + 1]), "l" substr(class, 2),
            " stroke-width=\"2\"" (dashes ? " stroke-dasharray=\"5 3\"" : ""))
    for (i = 1; i <= chart_points; i++) svg_dot(bx(i), py(at[i]), class)
}
