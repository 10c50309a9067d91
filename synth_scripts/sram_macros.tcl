# SPDX-License-Identifier: Apache-2.0
# Behaviour of the SRAM macros rf_sram_<ports>_<rows>x128 as Verilog; synth.tcl writes those it used into macros.v.
#
# A write stores the words of D whose WE is set. A read (RE) shows the row from the clock edge on until the next read. Both
# ports of a 1r1w at one row: the read shows the old contents. A 1rw does one of both in a cycle: with any WE set it does not
# read. RST clears what was read, at once, and not the memory, whose contents at power-up are anything.
proc macro_verilog {ports rows} {
    set name rf_sram_${ports}_${rows}x128
    set high [expr {int(ceil(log($rows) / log(2))) - 1}]
    set lines {}
    if {$ports eq "1rw"} {
        set clocks {CLK CLK}
        set addresses {A A}
        set read "RE && WE == 4'b0000"
        set pins "input CLK, input RST, input RE, input \[3:0\] WE, input \[$high:0\] A"
    } else {
        set clocks {WCLK RCLK}
        set addresses {WA RA}
        set read "RE"
        set pins "input WCLK, input \[3:0\] WE, input \[$high:0\] WA, input RCLK, input RST, input RE, input \[$high:0\] RA"
    }
    lappend lines "module $name ($pins, input \[127:0\] D, output reg \[127:0\] Q);"
    lappend lines "  reg \[127:0\] mem \[0:[expr {$rows - 1}]\];"
    lappend lines "  always @(posedge [lindex $clocks 0]) begin"
    for {set word 0} {$word < 4} {incr word} {
        set bits "[expr {32 * $word + 31}]:[expr {32 * $word}]"
        lappend lines "    if (WE\[$word\]) mem\[[lindex $addresses 0]\]\[$bits\] <= D\[$bits\];"
    }
    lappend lines "  end"
    lappend lines "  always @(posedge [lindex $clocks 1] or posedge RST) begin"
    lappend lines "    if (RST) Q <= 128'b0;"
    lappend lines "    else if ($read) Q <= mem\[[lindex $addresses 1]\];"
    lappend lines "  end"
    lappend lines "endmodule"
    return $lines
}
