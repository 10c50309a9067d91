#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Opens report.html of made-up regressions (a full one, one that passed, one full of hostile texts) in a headless Chromium, light and dark, wide and
# as narrow as a telephone, and on paper: what it looks like is measured in the page itself. One line a check, "ok …" or "FAIL …"; the last line
# is "N passed, N failed". Pictures for a person stay in build/report_check/.
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/checks.sh
work=${WORK:-build/report_check}
made=${REPORT_TEST:-build/san/tests/test_report_write}
rm -rf "$work"
mkdir -p "$work/fail/buckets/wir" "$work/pass" "$work/hostile"
work=$(cd "$work" && pwd)

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    echo "report_check.sh: no Chromium: apt-get install chromium" >&2
    exit 2
}

check() { # what, command…: passes when the command succeeds
    what=$1
    shift
    if "$@" >/dev/null; then ok "$name: $what"; else bad "$name: $what" "$*"; fi
}
not() { ! "$@"; }

# Chromium on a page; its own traffic is off. Options come first, the page last.
browse() {
    timeout 120 "$browser" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --disable-dev-shm-usage --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync --disable-extensions --disable-default-apps \
        --user-data-dir="$work/profile" --enable-logging=stderr --virtual-time-budget=30000 "$@"
}

# Runs in the page: all details open, then what can be measured, as one line to the frame around it.
cat >"$work/probe.js" <<'END'
window.addEventListener('load', function () {
  var d = document, all = function (s) { return Array.prototype.slice.call(d.querySelectorAll(s)); };
  var out = { width: innerWidth, content: d.documentElement.scrollWidth, room: d.documentElement.clientWidth };
  var shut = all('details:not([open])').length;
  out.dark = matchMedia('(prefers-color-scheme: dark)').matches;
  out.ink = getComputedStyle(d.body).color; out.paper = getComputedStyle(d.body).backgroundColor;
  out.box = all('.box').filter(function (b) { return b.getBoundingClientRect().right > innerWidth + 1; }).length;
  out.unopened = shut > 0 ? all('details:not(.r):not([open])').filter(function (x) { var c = x.children[1]; return c && c.getClientRects().length > 0; }).length : 0;
  /* Links and names. */
  var ids = {}, twice = 0;
  all('[id]').forEach(function (e) { if (ids[e.id]) twice++; ids[e.id] = 1; });
  out.twice = twice;
  out.dangling = all('a[href^="#"]').filter(function (a) { return !ids[a.getAttribute('href').slice(1)]; }).length;
  out.loads = performance.getEntriesByType('resource').length;
  out.outside = all('[src],[href]').filter(function (e) { return /^[a-z]+:|^\/\//i.test(e.getAttribute('src') || e.getAttribute('href')) &&
    !/^data:/.test(e.getAttribute('src') || e.getAttribute('href')); }).length;
  out.unnamed = all('img:not([alt]),th:not([scope]),button:empty,input:not([aria-label]),select:not([aria-label]),svg:not([aria-label])').length;
  out.headings = all('h1').length + ' ' + all('section > h2').length + ' ' + all('section').length;
  out.jobs = all('.jobs tbody tr').length;
  out.shown = all('.jobs tbody tr').filter(function (r) { return r.getClientRects().length > 0; }).length;
  out.picture = all('figure img').filter(function (i) { return i.complete && i.naturalWidth > 100; }).length;
  /* The search, and a link into what is shut. */
  var text = d.getElementById('job-text'), cell = d.querySelector('.heat td.c a');
  if (text) {
    text.value = 'rf_wir MISMATCH'; text.dispatchEvent(new Event('input'));
    out.found = all('.jobs tbody tr').filter(function (r) { return !r.hidden; }).length + ': ' + d.getElementById('job-count').textContent;
    text.value = ''; text.dispatchEvent(new Event('input'));
  }
  if (cell) {
    var row = d.getElementById(cell.getAttribute('href').slice(1));
    location.hash = cell.getAttribute('href');
    dispatchEvent(new Event('hashchange'));
    out.revealed = row !== null && row.getClientRects().length > 0;
  }
  all('details').forEach(function (x) { x.open = true; });
  out.opened = d.documentElement.scrollWidth;
  /* Contrast of every text with what is behind it (WCAG 2.2, 1.4.3: 4.5, large ones 3). */
  var rgb = function (c) { var m = c.match(/[\d.]+/g).map(Number); return m.length > 3 ? m : m.concat([1]); };
  var light = function (c) { return [0, 1, 2].map(function (i) { var v = c[i] / 255; return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); })
    .reduce(function (s, v, i) { return s + v * [0.2126, 0.7152, 0.0722][i]; }, 0); };
  var behind = function (e) { for (; e; e = e.parentElement) { var b = rgb(getComputedStyle(e).backgroundColor); if (b[3] === 1) return b; } return [255, 255, 255, 1]; };
  var texts = 0, poor = 0, worst = 99, where = '';
  var walk = d.createTreeWalker(d.body, NodeFilter.SHOW_TEXT), seen = new Set(), node;
  while ((node = walk.nextNode())) {
    var e = node.parentElement;
    if (!node.data.trim() || seen.has(e) || /^(SCRIPT|STYLE|TITLE|CAPTION)$/i.test(e.tagName) || e.getClientRects().length === 0) continue;
    seen.add(e);
    var s = getComputedStyle(e), svg = e.namespaceURI.indexOf('svg') > 0;
    var a = light(rgb(svg ? s.fill : s.color)), b = light(behind(e)), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    var px = parseFloat(s.fontSize), large = px >= 24 || (px >= 18.66 && Number(s.fontWeight) >= 700);
    texts++;
    if (ratio < (large ? 3 : 4.5)) poor++;
    if (ratio < worst) { worst = ratio; where = e.tagName + '.' + (svg ? '' : e.className); }
  }
  out.texts = texts; out.poor = poor; out.worst = worst.toFixed(2) + ' ' + where;
  parent.postMessage(Object.keys(out).map(function (k) { return k + '=' + out[k]; }).join(';'), '*');
});
END

# A copy of a page with the probe in it, changed by a sed command.
with_probe() { # page, copy, sed command
    sed -e "$3" "$1" | awk -v probe="$work/probe.js" '
        /<\/body>/ { print "<script>"; while ((getline line < probe) > 0) print line; print "</script>" } { print }' >"$2"
}

# Opens a page in frames of 1280 and 360 pixels; what the probes say is in $work/said, one line a frame.
measure() { # page, options…
    page=$1
    shift
    cat >"$work/frames.html" <<END
<!DOCTYPE html><title>frames</title><pre id="said"></pre>
<iframe src="$page" style="width:1280px;height:900px;border:0"></iframe><iframe src="$page" style="width:360px;height:740px;border:0"></iframe>
<script>addEventListener('message', function (e) { document.getElementById('said').textContent += e.data + '\n'; });</script>
END
    browse --window-size=1400,1000 "$@" --dump-dom "file://$work/frames.html" >"$work/dom" 2>"$work/log"
    sed -n '/<pre id="said">/,/<\/pre>/p' "$work/dom" | sed -e 's/.*<pre id="said">//' -e '/<\/pre>/d' | grep '=' >"$work/said"
}
said() { sed -n "s/.*width=$1;.*/&/p" "$work/said" | tr ';' '\n' | sed -n "s/^$2=//p"; } # width, what
console() { grep -E 'CONSOLE' "$work/log" | grep -v 'Autofocus'; }

name=regressions
[ -x "$made" ] || make -s "$made" >"$work/make.log" 2>&1 || { cat "$work/make.log" >&2; exit 2; }
cp docs/first-difference.png "$work/fail/buckets/wir/failure.png"
check 'three regressions are made' env REPORT_EXAMPLES="$work" "$made"

for regression in fail pass hostile; do
    with_probe "$work/$regression/report.html" "$work/$regression/probe.html" ''
    for theme in light dark; do
        name="$regression $theme"
        scheme=1
        [ "$theme" = light ] || scheme=0
        measure "$regression/probe.html" --blink-settings=preferredColorScheme=$scheme
        check 'both frames answer' [ "$(wc -l <"$work/said")" -eq 2 ]
        check 'the console is empty' not console
        check 'the page asks for nothing' [ "$(said 1280 loads) $(said 360 loads)" = '0 0' ]
        for width in 1280 360; do
            check "$width px: it is the theme" [ "$(said $width dark)" = "$([ $theme = dark ] && echo true || echo false)" ]
            check "$width px: the page is not wider than the window" [ "$(said $width content)" -le "$(said $width room)" ]
            check "$width px: nor with everything open" [ "$(said $width opened)" -le "$(said $width room)" ]
            check "$width px: wide tables stay in their boxes" [ "$(said $width box)" = 0 ]
            check "$width px: contrast of $(said $width texts) texts, worst $(said $width worst)" [ "$(said $width poor)" = 0 ]
        done
        check 'there are texts' [ "$(said 1280 texts)" -gt 100 ]
        for what in twice dangling outside unnamed; do
            check "none of this: $what" [ "$(said 1280 $what)" = 0 ]
        done
        check 'a heading for each section' [ "$(said 1280 headings)" = '1 9 9' ]
        check 'a cell leads to its parameters' [ "$(said 360 revealed)" = true ]
        papers=${papers:-}$(said 1280 paper)/
        if [ "$regression" = fail ]; then
            check 'all jobs are there' [ "$(said 1280 shown)" = 1410 ]
            check 'the search finds' [ "$(said 1280 found)" = '2: 2 of 1410 jobs' ]
            check 'the picture is seen' [ "$(said 1280 picture)" = 1 ]
        fi
    done
done
name=themes
check 'light and dark differ' [ "$(echo "$papers" | tr / '\n' | sed '/^$/d' | sort -u | wc -l)" -eq 2 ]

# Paper: the rules for print are made the screen's, in a dark browser.
name=print
with_probe "$work/fail/report.html" "$work/fail/paper.html" 's/@media print/@media screen/'
measure fail/paper.html --blink-settings=preferredColorScheme=0
check 'white paper, black ink' [ "$(said 1280 paper) $(said 1280 ink)" = 'rgb(255, 255, 255) rgb(0, 0, 0)' ]
check 'shut details are seen' [ "$(said 1280 unopened)" -gt 20 ]
check 'of the jobs only those that did not pass' [ "$(said 1280 shown)" = 11 ]
check 'contrast' [ "$(said 1280 poor)" = 0 ]
browse --no-pdf-header-footer --blink-settings=preferredColorScheme=0 --print-to-pdf="$work/report.pdf" "file://$work/fail/report.html" 2>"$work/log"
pages=$(grep -ac '/Type /Page$' "$work/report.pdf")
check "$pages pages of PDF" [ "$pages" -gt 3 -a "$pages" -lt 60 ]

# Can these checks fail? Each fault is planted and must be found.
name=faults
plant() { # sed command, which must change something
    ! sed -e "$1" "$work/fail/report.html" | cmp -s - "$work/fail/report.html" || bad "$1" 'changes nothing'
    with_probe "$work/fail/report.html" "$work/fail/planted.html" "$1"
    measure fail/planted.html --blink-settings=preferredColorScheme=1
}
plant 's|<main id="main">|&<div style="width:1000px">wide</div>|'
check 'a page that is too wide' [ "$(said 360 content)" -gt "$(said 360 room)" ]
plant 's/--soft: #55606b/--soft: #99a4af/'
check 'poor contrast' [ "$(said 1280 poor)" -gt 0 ]
plant 's|<main id="main">|&<script>throw new Error(1)</script>|'
check 'an error in a script' console
plant 's|<main id="main">|&<img alt="" src="http://127.0.0.1:9/x.png">|'
check 'the page itself refuses a picture from elsewhere' console
plant 's|<meta http-equiv[^>]*>||; s|<main id="main">|&<img alt="" src="http://127.0.0.1:9/x.png">|'
check 'a request that leaves' [ "$(said 1280 loads)" = 1 ]
plant 's/ id="set-0-0"//'
check 'a link to nothing' [ "$(said 1280 dangling)" -gt 0 ]

# For a person.
name=pictures
for theme in light dark; do
    scheme=1
    [ "$theme" = light ] || scheme=0
    browse --blink-settings=preferredColorScheme=$scheme --window-size=1280,2600 --screenshot="$work/$theme.png" "file://$work/fail/report.html" 2>"$work/log"
    check "$theme" [ -s "$work/$theme.png" ]
done
cat >"$work/phone.html" <<'END'
<!DOCTYPE html><title>phone</title><style>body{margin:0;background:#777}iframe{width:360px;height:2600px;border:0}</style><iframe src="fail/report.html"></iframe>
END
browse --window-size=500,2600 --screenshot="$work/phone.png" "file://$work/phone.html" 2>"$work/log"
check phone [ -s "$work/phone.png" ]

tally
