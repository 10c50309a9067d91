# SPDX-License-Identifier: Apache-2.0
# Run by GTKWave (gtkwave -S) for gtkwave_check.sh: what the view became, into $CHECK_OUT; a picture of it into $CHECK_PNG.
set out [open $env(CHECK_OUT) w]
set traces [gtkwave::getTotalNumTraces]
puts $out "traces $traces"
puts $out "marker [gtkwave::getMarker]"
for {set i 0} {$i < $traces} {incr i} { puts $out "trace [gtkwave::getTraceNameFromIndex $i]" }
set facs [gtkwave::getNumFacs]
for {set i 0} {$i < $facs} {incr i} { puts $out "signal [gtkwave::getFacName $i]" }
close $out
gtkwave::/File/Grab_To_File $env(CHECK_PNG)
gtkwave::/File/Quit
