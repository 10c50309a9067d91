# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2016,SC2034,SC2154 # awk is in quotes; what is set here is for those who read this, $work is theirs
# What the scripts that test the tool from outside have in common; read with `. tb/tests/checks.sh` after cd to the project's root. A check prints one line,
# "ok …" or "FAIL … why"; a script ends with "N passed, N failed" (tally, or run_sections) and status 0 when something passed and nothing failed.
#   tool     the program under test ($LOCKSTEP)
#   here     folder of what is being tested; the script sets it, run_sections sets it for each section
#   section  stands before a check's name; "" for none
tool=${LOCKSTEP:-build/lockstep}
section=''
passed=0
failed=0

ok() { passed=$((passed + 1)); echo "ok   ${section:+$section: }$1"; }
bad() { failed=$((failed + 1)); echo "FAIL ${section:+$section: }$1: $2"; } # name, why

# A condition of the script's own.
expect() { # name, why not, command…
    name=$1 why=$2
    shift 2
    if "$@"; then ok "$name"; else bad "$name" "$why"; fi
}

# Of checks that are many and alike one in so many when test.sh samples ($TURN), others with another commit; else all. Says once that it is a sample.
sampled() { # one in how many
    alike=$((${alike:-0} + 1))
    [ -n "${TURN:-}" ] && [ $(((alike + TURN) % $1)) -ne 0 ] || return 0
    [ -n "${told:-}" ] || echo "TURN=$TURN: a sample, not all (tb/README.md)" >&2
    told=yes
    return 1
}

# What a text must say, without its wording: items separated by "|", all of which hold; $missing is the first that does not. An item is
#   fact fact…   facts that stand in one line of the file, in any order: a file with its line, a name, a value, an end of a range, a keyword. Each
#                is whole (N is not in NAME, 8 not in 18), and what one takes no other has: "1 64" needs two numbers.
#   =text        the text as it is: of a file with a format, or of a line that scripts read
#   @path=value  the value there in the record: $3, or the last line of the file that is a JSON object
#   @path:facts  facts that stand in that value; @path: there is one
# A message's sentence may be put otherwise, so its words are not tested; its facts are, and may not go.
says() { # file, items, record
    [ -n "$2" ] || return 0
    missing=$(ITEMS=$2 awk "$find_facts" "$1") || missing="a file $1"
    case "|$2" in *'|@'*) ;; *) [ -z "$missing" ]; return ;; esac
    old_ifs=$IFS
    IFS='|'
    set -f
    for item in $2; do
        case $item in @*) ;; *) continue ;; esac
        item=${item#@} path=${item%%[=:]*}
        is=$(grep '^{' "${3:-$1}" | tail -n 1 | "$work/record_of" "$path")
        case ${item#"$path"} in
        =*) [ "$is" = "${item#*=}" ] ;;
        :*) [ -z "$(printf '%s\n' "$is" | ITEMS=${item#*:} awk "$find_facts")" ] ;;
        *) [ "${is:--}" != - ] ;;
        esac || missing=${missing:-"$item (it is $is)"}
    done
    IFS=$old_ifs
    set +f
    [ -z "$missing" ]
}
find_facts='
function in_word(c) { return c ~ /[A-Za-z0-9_]/ }
function place(fact, line,   at, next_at) { # where the fact is whole, or 0
    for (at = 0; (next_at = index(substr(line, at + 1), fact)) > 0;) {
        at += next_at
        if (!(at > 1 && in_word(substr(fact, 1, 1)) && in_word(substr(line, at - 1, 1))) &&
            !(in_word(substr(fact, length(fact))) && in_word(substr(line, at + length(fact), 1)))) return at
    }
    return 0
}
BEGIN {
    items = split(ENVIRON["ITEMS"], item, "|")
    for (i = 1; i <= items; i++) {
        if (item[i] ~ /^@/ || item[i] ~ /^=?$/) { found[i] = 1; continue }
        if (item[i] ~ /^=/) continue
        facts[i] = split(item[i], fact, " ")
        for (k = 1; k <= facts[i]; k++) { # the longest first, as they take most
            for (at = k; at > 1 && length(fact[k]) > length(sorted[i, at - 1]); at--) sorted[i, at] = sorted[i, at - 1]
            sorted[i, at] = fact[k]
        }
    }
}
{
    for (i = 1; i <= items; i++) {
        if (i in found) continue
        if (item[i] ~ /^=/) { if (index($0, substr(item[i], 2)) > 0) found[i] = 1; continue }
        line = $0
        for (k = 1; k <= facts[i] && (at = place(sorted[i, k], line)) > 0; k++)
            line = substr(line, 1, at - 1) "\001" substr(line, at + length(sorted[i, k]))
        if (k > facts[i]) found[i] = 1
    }
}
END { for (i = 1; i <= items; i++) if (!(i in found)) { print item[i]; exit } }'

not() { ! "$@"; } # for expect

# Whether a file is empty or ends with a newline.
whole_lines() { [ -z "$(tail -c 1 "$1")" ]; }

# Runs a command and demands exit code and what it must say; all that it prints is left in $here/text and ends with a newline.
demand() { # name, exit code, items (says), command…
    name=$1 code=$2 items=$3
    shift 3
    "$@" >"$here/text" 2>&1
    got=$?
    if [ "$got" -ne "$code" ]; then bad "$name" "exit $got and not $code: $(head -n 4 "$here/text" | tr '\n' ' ')"
    elif ! says "$here/text" "$items"; then bad "$name" "\"$missing\" is not in: $(head -n 6 "$here/text" | tr '\n' ' ')"
    elif ! whole_lines "$here/text"; then bad "$name" "no newline at the end: $(tail -n 1 "$here/text")"
    else ok "$name"; return 0
    fi
    return 1
}

# Tries the command, ten times a second, until it succeeds or the time is over.
within() { # seconds, command…
    until_second=$(($(date +%s) + $1))
    shift
    until "$@"; do
        [ "$(date +%s)" -le "$until_second" ] || return 1
        sleep 0.1
    done
}

# Whether a process is there and is no zombie.
alive() { [ -r "/proc/$1/stat" ] && [ "$(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -c1)" != Z ]; }
gone() { ! alive "$1"; }

needs_tool() { [ -x "$tool" ] || { echo "no $tool: make all"; exit 2; }; }

# The reader of records: record_of PATH <record. Into the folder.
make_record_of() { gcc -std=c11 -D_GNU_SOURCE -I. -O1 -Wall -Werror -o "$1/record_of" tb/tests/json.c || exit 2; }

# Of a file with lines "N s NAME" the longest, for who wants a shorter test.
slowest() { sort -rn "$1" | head -n 8 | paste -sd, - | sed "s/^/slowest: /; s/,/, /g"; }

tally() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}

# The end of a script whose checks are functions named by $sections: `$0 [SECTION…]` runs those alone, $JOBS (2) at a time, each in a process
# and a folder ($work/SECTION) of its own. One that makes no check is a failure, unless it prints NOT RUN and why.
run_sections() { # the script's arguments
    if [ "${1:-}" = --one ]; then
        section=$2
        here=$work/$2
        rm -rf "$here"
        mkdir -p "$here"
        "$2"
        exit
    fi
    for s in "$@"; do
        case " $sections " in
        *" $s "*) ;;
        *) echo "no section $s; there are: $sections"; exit 2 ;;
        esac
    done
    needs_tool
    mkdir -p "$work"
    make_record_of "$work"
    [ $# -gt 0 ] && sections=$*
    export LOCKSTEP="$tool" WORK="$work"
    rm -f "$work/seconds"
    for s in $sections; do echo "$s"; done | xargs -P "${JOBS:-2}" -I{} sh -c "begin=\$(date +%s)
        sh '$0' --one {} >'$work/{}.log' 2>&1
        echo \$((\$(date +%s) - begin)) s {} >>'$work/seconds'"
    for s in $sections; do
        grep -qE '^(ok|FAIL) |NOT RUN' "$work/$s.log" || echo "FAIL $s: no check was made" >>"$work/$s.log"
        cat "$work/$s.log"
    done >"$work/log"
    cat "$work/log"
    slowest "$work/seconds"
    passed=$(grep -c '^ok ' "$work/log")
    failed=$(grep -c '^FAIL ' "$work/log")
    tally
}
