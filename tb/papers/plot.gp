# SPDX-License-Identifier: Apache-2.0
# What all plots have in common; `wide` and `high` are the picture's (paper.c writes the rest). Colours 0 to 4 are line types 1 to 5.
set terminal svg size wide, high font "sans-serif,12" noenhanced fixed background rgb "#ffffff"
array colour[5] = ["#818b98", "#0969da", "#bc4c00", "#8250df", "#1a7f37"]
do for [i=1:5] { set linetype i lc rgb colour[i] }
set border 3 lc rgb "#59636e"
set tics nomirror scale 0.4 textcolor rgb "#1f2328"
set grid lc rgb "#d1d9e0" lt 1
set style fill solid noborder
set boxwidth 1
set lmargin wide == 900 ? 22 : 10
set rmargin 3
set tmargin wide == 900 ? 6.2 : 7.4
set key at screen 0.0, screen 1 - 52.0 / high left top horizontal Left reverse samplen 1.5 width 1 textcolor rgb "#1f2328"
