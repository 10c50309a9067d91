#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The manifests of the RTL, made from the tree, for who builds with FuseSoC, Bender or a list of files. From the project's root:
#   rtl/manifests.sh FOLDER      writes rtl/rf_lockstep.f, rtl/rf_lockstep.core and Bender.yml below the folder ("." for the tree's own)
set -eu
to=$1
mkdir -p "$to/rtl"
# In an order in which every package stands before what uses it: that of each unit's own list.
files=$(build/lockstep list --files | tr ' ' '\n' | grep '^rtl/' | awk '!seen[$0]++')
packages=$(printf '%s\n' "$files" | grep '_pkg\.sv$')
modules=$(printf '%s\n' "$files" | grep -v '_pkg\.sv$' | LC_ALL=C sort)
all=$(git ls-files -co --exclude-standard 'rtl/*/*.sv' | wc -l)
[ "$(printf '%s\n' "$files" | wc -l)" -eq "$all" ] || { echo "rtl/manifests.sh: of $all files in rtl/ no unit has some" >&2; exit 1; }
waivers=$(git ls-files -co --exclude-standard 'rtl/*/*.vlt')
version=$(sed -n 's/^VERSION := //p' Makefile)
made='Made by `make manifests`.'

{
    printf '// All modules, packages first; paths from this file (verilator, vcs, vlog, xrun: -F). %s\n' "$made"
    printf '%s\n' "$packages" "$modules" | sed 's|^rtl/||'
} >"$to/rtl/rf_lockstep.f"

{
    printf 'CAPI=2:\n# %s\nname: "::rf_lockstep:%s"\ndescription: "GPU register files: operand collectors, arbiters, caches, hierarchies"\n\nfilesets:\n' "$made" "$version"
    printf '  rtl:\n    files:\n'
    printf '%s\n' "$packages" "$modules" | sed 's|^rtl/|      - |'
    printf '    file_type: systemVerilogSource\n  waivers:\n    files:\n'
    printf '%s\n' "$waivers" | sed 's|^rtl/|      - |'
    printf '    file_type: vlt\n\ntargets:\n  default:\n    filesets: [rtl]\n'
    printf '  lint:\n    filesets: [rtl, waivers]\n    toplevel: rf_banked\n    flow: lint\n    flow_options: {tool: verilator}\n'
} >"$to/rtl/rf_lockstep.core"

{
    printf '# %s\npackage:\n  name: rf_lockstep\n\nsources:\n' "$made"
    printf '%s\n' "$packages" "$modules" | sed 's|^|  - |'
} >"$to/Bender.yml"
