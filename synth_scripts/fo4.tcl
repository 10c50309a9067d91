# SPDX-License-Identifier: Apache-2.0
# FO4: the delay of an inverter that drives four of its like, mean of rise and fall, by OpenSTA with the library at hand. `lockstep
# synth` writes fo4.v, a chain of sixteen of the library's smallest inverters, each loaded by the next and three more, and
# timing-settings.tcl. Taken between the outputs of the fourth and the twelfth, where slopes no longer depend on the input's. The
# result, fo4.out: one number in the library's unit of time.

source timing-settings.tcl
read_liberty [lindex $libraries 0]
read_verilog fo4.v
link_design fo4
create_clock -name clock -period $period
set_input_delay 0 -clock clock [all_inputs]
set_output_delay 0 -clock clock [all_outputs]

proc arrival {edge port} {
    global period
    set path [lindex [find_timing_paths $edge [get_ports $port]] 0]
    return [expr {$period - [get_property $path slack]}]
}
set sum 0
foreach edge {-rise_to -fall_to} {set sum [expr {$sum + [arrival $edge twelfth] - [arrival $edge fourth]}]}
set out [open fo4.out w]
puts $out [expr {$sum / 16}]
close $out
