# SPDX-License-Identifier: Apache-2.0
# Timing: the worst path of each kind through a mapped netlist, by OpenSTA. `lockstep synth` writes timing-settings.tcl and runs
# `sta -exit timing.tcl` in the folder of timing.v. The result, timing.out, in the library's unit of time:
#   path  KIND PERIOD               reg_reg, in_reg, reg_out or in_out; what a clock would need: delay and, at a register, setup
#   step  KIND ARRIVAL PIN CELL     its pins in order, CELL "-" for a port
#   wrong PIN                       of a register that the clock's rising edge does not drive: no path through it means anything
#   gated PIN                       of a register whose clock other signals make too, forced PIN: whose set or reset others than the reset
#                                   make: paths that end there are none of the four kinds
#   done                            the last line
# Inputs are driven by the smallest inverter and arrive at the clock edge, outputs drive four of them; the clock is ideal, wires
# have no load, and paths from the reset are no paths.
#
# timing-settings.tcl sets: top, libraries, clock, reset, period, driver (cell), load (of an output, in the library's unit).

source timing-settings.tcl
foreach library $libraries {read_liberty $library}
read_verilog timing.v
link_design $top

set inputs {}
set clocks {}
foreach port [all_inputs] {
    if {[get_property $port full_name] eq $clock} {lappend clocks $port} else {lappend inputs $port}
}
set outputs [all_outputs]
if {$clocks ne ""} {create_clock -name clock -period $period $clocks} else {create_clock -name clock -period $period}
if {$inputs ne ""} {
    set_input_delay 0 -clock clock $inputs
    set_driving_cell -lib_cell $driver $inputs
}
if {$outputs ne ""} {
    set_output_delay 0 -clock clock $outputs
    set_load $load $outputs
}
foreach port $inputs {
    if {[get_property $port full_name] eq $reset} {set_false_path -from $port}
}
set starts [all_registers -clock_pins]

# Registers that see the clock's falling edge, either edge or no clock: half a period, or nothing, would be in their paths.
set rising {}
foreach pin [all_registers -clock_pins -rise_clock clock] {dict set rising [get_property $pin full_name] 1}
set ends [all_registers -data_pins]

set out [open timing.out w]
foreach pin $starts {
    set name [get_property $pin full_name]
    if {![dict exists $rising $name]} {puts $out "wrong $name"}
}
# Whether the logic that drives the pins begins at no other port or register than `port`. A pin that nothing drives begins at itself.
proc only_from {pins port} {
    if {$pins eq ""} {return 1}
    set own [names_of $pins]
    foreach name [dict keys [names_of [get_fanin -flat -startpoints_only -to $pins]]] {
        if {$name ne $port && ![dict exists $own $name]} {return 0}
    }
    return 1
}
proc names_of {pins} {
    set names {}
    foreach pin $pins {dict set names [get_property $pin full_name] 1}
    return $names
}
# A clock pin is where paths begin: looked at is what drives it.
proc drivers_of {pins} {
    set drivers {}
    set seen {}
    if {$pins eq ""} {return $drivers}
    foreach net [get_nets -of_objects $pins] { ;# the clock's as often as it has pins
        set name [get_property $net full_name]
        if {[dict exists $seen $name]} continue
        dict set seen $name 1
        foreach pin [get_pins -of_objects $net] {
            if {[get_property $pin direction] eq "output"} {lappend drivers $pin}
        }
    }
    return $drivers
}
# Of all pins at once, and one by one only to name them.
set forcing [all_registers -async_pins]
set forced [names_of $forcing]
set clocking {}
foreach pin $starts {
    set name [get_property $pin full_name]
    if {[dict exists $rising $name] && ![dict exists $forced $name]} {lappend clocking $pin}
}
if {![only_from [drivers_of $clocking] $clock]} {
    foreach pin $clocking {
        if {![only_from [drivers_of $pin] $clock]} {puts $out "gated [get_property $pin full_name]"}
    }
}
if {![only_from $forcing $reset]} {
    foreach pin $forcing {
        if {![only_from $pin $reset]} {puts $out "forced [get_property $pin full_name]"}
    }
}
proc worst {kind from to} {
    global out period
    if {$from eq "" || $to eq ""} return
    foreach path [find_timing_paths -from $from -to $to] {
        puts $out "path $kind [expr {$period - [get_property $path slack]}]"
        foreach point [get_property $path points] {
            set pin [get_property $point pin]
            set name [get_property $pin full_name]
            set cell -
            if {[string first / $name] >= 0} {set cell [get_property [$pin instance] ref_name]}
            puts $out "step $kind [get_property $point arrival] $name $cell"
        }
        break
    }
}
worst reg_reg $starts $ends
worst in_reg $inputs $ends
worst reg_out $starts $outputs
worst in_out $inputs $outputs
puts $out done
close $out
