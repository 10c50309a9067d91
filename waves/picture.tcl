# SPDX-License-Identifier: Apache-2.0
# Run by GTKWave (gtkwave -S) for picture.sh: the window, as the view opened it, into $PICTURE. A window in which nothing of the view
# could be shown is no picture.
if {[gtkwave::getTotalNumTraces] > 0} { gtkwave::/File/Grab_To_File $env(PICTURE) } else { puts stderr "nothing in the view could be shown: no dump?" }
gtkwave::/File/Quit
