// SPDX-License-Identifier: Apache-2.0
// The page works without this. No character in here that XML would take for markup: the page is well-formed.
(function () {
  'use strict';
  var d = document;

  function all(selector) {
    return Array.prototype.slice.call(d.querySelectorAll(selector));
  }

  d.documentElement.classList.add('js');

  // Buttons that copy the command beside them.
  d.addEventListener('click', function (event) {
    var button = event.target.closest ? event.target.closest('button.copy') : null;
    if (!button) return;
    var code = button.parentNode.querySelector('code');
    function done() {
      button.textContent = 'Copied';
      setTimeout(function () { button.textContent = 'Copy'; }, 1500);
    }
    function by_selection() {
      var range = d.createRange(), selection = getSelection();
      range.selectNodeContents(code);
      selection.removeAllRanges();
      selection.addRange(range);
      if (d.execCommand('copy')) done();
    }
    if (navigator.clipboard) navigator.clipboard.writeText(code.textContent).then(done, by_selection);
    else by_selection();
  });

  // The filter of the table of jobs.
  var text = d.getElementById('job-text'), kind = d.getElementById('job-kind'), count = d.getElementById('job-count'), rows = null;
  function filter() {
    if (!rows) rows = all('.jobs tbody tr').map(function (row) {
      return { row: row, kind: row.className, text: (row.cells[1].textContent + ' ' + row.cells[2].textContent).toLowerCase() };
    });
    var words = text.value.toLowerCase().split(' '), wanted = kind.value, shown = 0;
    rows.forEach(function (r) {
      var on = (wanted === '' || r.kind === wanted) ? words.every(function (word) { return r.text.indexOf(word) !== -1; }) : false;
      r.row.hidden = !on;
      if (on) shown++;
    });
    count.textContent = shown + ' of ' + rows.length + ' jobs';
  }
  if (text) {
    text.addEventListener('input', filter);
    kind.addEventListener('change', filter);
  }

  // A link into something folded opens it.
  function reveal() {
    var target = location.hash ? d.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
    for (var e = target; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
    if (target) target.scrollIntoView();
  }
  addEventListener('hashchange', reveal);
  if (location.hash) reveal();

  // On paper everything is open but commands.
  var opened = [];
  addEventListener('beforeprint', function () {
    opened = all('details:not(.r):not([open])');
    opened.forEach(function (details) { details.open = true; });
  });
  addEventListener('afterprint', function () {
    opened.forEach(function (details) { details.open = false; });
  });
})();
