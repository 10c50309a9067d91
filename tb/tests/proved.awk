# SPDX-License-Identifier: Apache-2.0
# awk -f tb/tests/proved.awk tb/proof.sets docs/units/README.md: prints each unit whose column "proved" is not what the sets say.
NR == FNR {
    if ($1 !~ /^#/ && !/ --cut /) how[$1] = !/=/ || how[$1] == "defaults" ? "defaults" : "small"
    next
}
/^\| \[`rf_/ {
    split($0, name, "`")
    count = split($0, column, / *\| */)
    want = name[2] in how ? how[name[2]] : "no"
    if (column[count - 1] != want) print name[2] ": " column[count - 1] ", and tb/proof.sets says " want
}
