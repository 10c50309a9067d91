# SPDX-License-Identifier: Apache-2.0
# Area: a unit's RTL to cells of a library, by Yosys. `lockstep synth` writes settings.tcl and runs `yosys -c scripts/synth.tcl`
# in the folder where the results go, in which scripts is this one:
#   gates.il      the mapped netlist with the RTL's names; gates.v the same as Verilog; timing.v for OpenSTA, ports split too
#   cells.tsv     cell, count
#   macros.v      behaviour of the SRAM macros that it uses
#   memories.tsv  memory, rows, bits of a row, what became of it: sram_1r1w, sram_1rw, flops, or ports (flops: no macro has its
#                 ports)
#   sram.tsv      macro, count
# To try something by hand: change this file and run that line again in the folder that `lockstep synth UNIT --brief` names.
#
# settings.tcl sets: top (the unit's module), falling (1: registers change at the clock's falling edge), files, dirs (where modules are that no file has), parameters {NAME VALUE ...},
# library (Liberty), scripts (where this file is), macros (1: memories of macro_bits and more become SRAM macros), macro_bits, driver
# (the cell that drives an input), load (of an output, fF).

source settings.tcl
source $scripts/sram_macros.tcl

proc fail {text} {
    puts stderr "lockstep: $text"
    exit 1
}

# What a command of Yosys prints, as lines.
proc said {args} {
    yosys tee -q -o said.txt {*}$args
    set file [open said.txt]
    set lines [split [read $file] "\n"]
    close $file
    file delete said.txt
    return $lines
}

# Objects that a selection names, as "module/object".
proc selected {args} {
    set names {}
    foreach line [said select -list {*}$args] {
        if {$line ne ""} {lappend names $line}
    }
    return $names
}

proc write_lines {path lines} {
    set file [open $path w]
    foreach line $lines {puts $file $line}
    close $file
}

# A name as a pattern that selects it: what a pattern takes for more than itself stands for any one character.
proc pattern {name} {
    return [string map {[ ? ] ? \\ ?} $name]
}

# All memories, "module/name" -> {rows . bits .}.
proc memories {} {
    set found {}
    foreach memory [selected {t:$mem_v2}] {
        foreach line [said dump [pattern $memory]] {
            if {[regexp {^ *parameter \\SIZE (\d+)$} $line - rows]} {dict set found $memory rows $rows}
            if {[regexp {^ *parameter \\WIDTH (\d+)$} $line - bits]} {dict set found $memory bits $bits}
        }
    }
    return $found
}

# Cells of the module that memory_libmap made become macros: one of `ports` for each number of rows.
proc map_macros {module ports} {
    global scripts
    for {set abits 4} {$abits <= 8} {incr abits} {
        set rows [expr {1 << $abits}]
        set options {}
        if {$ports eq "1rw"} {set options {-D ONE_PORT}}
        yosys techmap {*}$options -D MACRO=rf_sram_${ports}_${rows}x128 -D ABITS=$abits -map $scripts/sram_map.v \
            $module/t:\$__RF_SRAM_1R1W_ $module/r:OPTION_ABITS=$abits %i
    }
}

# Of several names of a net the one with most attributes stays on its driver: that shall be the register's.
proc mark_registers {} {
    yosys setattr -set rf_register 1 {t:$*ff*} {%co1:+[Q]} {w:*} %i
}

# Rising edges become falling ones, and the other way round.
proc turn_edges {} {
    yosys select -set rising {r:CLK_POLARITY=1'1}
    yosys select -set falls {r:CLK_POLARITY=1'0}
    yosys setparam -set CLK_POLARITY 1'0 @rising
    yosys setparam -set CLK_POLARITY 1'1 @falls
}

# ---- RTL to logic of words ----
yosys read_verilog -defer -sv {*}$files
set arguments {}
foreach {name value} $parameters {lappend arguments -set $name $value}
if {$arguments ne ""} {yosys chparam {*}$arguments $top}
set arguments {}
foreach dir $dirs {lappend arguments -libdir $dir}
yosys hierarchy -check {*}$arguments -top $top
yosys proc
# The falling edge is the rising one of the same design with a clock turned round: libraries have flip-flops of that one.
if {$falling} {turn_edges}
mark_registers
yosys rename -top $top
yosys opt_expr
yosys opt_clean
set latches [selected {t:$dlatch} {t:$adlatch} {t:$dlatchsr} {t:$sr}]
if {$latches ne ""} {fail "a latch was inferred: [join $latches {, }]"}

# ---- memories: registered reads become part of them, and those that are big enough SRAM macros ----
yosys opt -nodffe -nosdff
yosys wreduce
yosys opt -full
yosys memory -nomap
yosys opt_clean

# By instance, for the list of what became of them.
yosys design -save hierarchical
yosys flatten
set all [memories]
yosys design -load hierarchical

if {$macros} {
    set large {}
    dict for {memory size} [memories] {
        if {[dict get $size rows] * [dict get $size bits] >= $macro_bits} {lappend large [pattern $memory]}
    }
    if {$large ne ""} {yosys memory_libmap -lib $scripts/sram.lib -logic-cost-ram 1000 {*}$large}
    # A macro with one port for both serves where no cycle reads and writes: what sat proves of the enables, module by module.
    set modules {}
    foreach cell [selected {t:$__RF_SRAM_1R1W_}] {dict set modules [string range $cell 0 [string first / $cell]-1] 1}
    foreach module [dict keys $modules] {
        yosys design -save before
        map_macros $module 1rw
        yosys opt_clean
        set proof [said sat -prove-asserts -ignore_unknown_cells $module]
        if {[lsearch -glob $proof *SUCCESS!*] < 0} {
            yosys design -load before
            map_macros $module 1r1w
        }
    }
    yosys delete {t:$assert}
}

# ---- one module, words to bits ----
yosys flatten
yosys opt_clean
set kept [memories]
set became {}
dict for {memory size} $all {
    set name [string range $memory [string first / $memory]+1 end]
    set what flops
    if {[dict exists $kept $memory]} {
        if {$macros && [dict get $size rows] * [dict get $size bits] >= $macro_bits} {set what ports}
    } else {
        foreach ports {1r1w 1rw} {
            if {[selected "c:[pattern $name].*" "t:rf_sram_${ports}_*" %i] ne ""} {set what sram_$ports}
        }
    }
    lappend became "$name\t[dict get $size rows]\t[dict get $size bits]\t$what"
}
write_lines memories.tsv $became

yosys opt -full
yosys peepopt
yosys alumacc
yosys share
yosys opt
yosys opt_clean
yosys memory_map
mark_registers
yosys opt -fast -full
yosys techmap
yosys opt -fast

# A loop of gates holds a value as a latch does, and abc would break it in silence. Of words a chain through the bits of one looks like a
# loop; of bits none does.
yosys select $top
yosys scc -select
set loops [selected % w:* %i]
yosys select -clear
set named [lsearch -all -inline -not $loops {*$*}]
if {$named eq ""} {set named $loops}
if {$loops ne ""} {fail "a loop of gates, which is a latch or worse: [join [lrange [lsort -dictionary $named] 0 3] {, }]"}

# ---- bits to cells ----
# The macros' behaviour for others; here they are cells with ports and no more.
set behaviour {"// Behaviour of the SRAM macros of gates.v, made by sram_macros.tcl"}
set used {}
foreach ports {1r1w 1rw} {
    foreach rows {16 32 64 128 256} {
        set count [llength [selected $top/t:rf_sram_${ports}_${rows}x128]]
        if {$count == 0} continue
        lappend behaviour {*}[macro_verilog $ports $rows]
        lappend used "rf_sram_${ports}_${rows}x128\t$count"
    }
}
write_lines macros.v $behaviour
write_lines sram.tsv $used
yosys read_verilog -lib macros.v
yosys read_liberty -lib -ignore_miss_func -ignore_miss_dir -ignore_miss_data_latch $library
# Flip-flops are called as what they hold: "mask_q[3]_reg"; the names stay while cells of the library take their places.
yosys rename -wire -suffix _reg {t:$_*FF*_}
yosys dfflibmap -liberty $library
yosys opt_expr
yosys opt_merge
yosys opt_clean
write_lines abc.constr [list "set_driving_cell $driver" "set_load $load"]
yosys abc -liberty $library -constr abc.constr
yosys opt_clean

# Everything must be a cell of the library or a macro now.
set left [selected $top/t:\$*]
if {$left ne ""} {fail "the library has no cell for [llength $left] of them, such as [lindex $left 0]"}

set counts {}
foreach line [said stat $top] {
    if {[regexp {^     (\S+) +(\d+)$} $line - cell count]} {lappend counts "$cell\t$count"}
}
write_lines cells.tsv $counts
yosys select $top
yosys write_ilang -selected gates.il
yosys splitnets -format __
yosys opt_clean -purge
yosys rename -wire -suffix _reg
yosys write_verilog -noattr -noexpr -nohex -selected gates.v
# OpenSTA reads no "assign {a, b} = ...", which stays where ports are vectors.
yosys splitnets -ports -format __
yosys opt_clean -purge
yosys write_verilog -noattr -noexpr -nohex -selected timing.v
