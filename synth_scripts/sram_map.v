// SPDX-License-Identifier: Apache-2.0
// From what memory_libmap makes to the macros by their names (synth.tcl defines MACRO and ABITS; sram_macros.tcl says how
// they behave). With ONE_PORT to those with one port for both, and the condition under which that is right as an assertion,
// which synth.tcl has proved.
(* techmap_celltype = "$__RF_SRAM_1R1W_" *)
module rf_sram_map (
  input  [`ABITS-1:0] PORT_R_ADDR,
  input               PORT_R_CLK,
  input               PORT_R_RD_ARST,
  output [127:0]      PORT_R_RD_DATA,
  input               PORT_R_RD_EN,
  input  [`ABITS-1:0] PORT_W_ADDR,
  input               PORT_W_CLK,
  input  [127:0]      PORT_W_WR_DATA,
  input  [3:0]        PORT_W_WR_EN
);
  parameter INIT = 0;
  parameter OPTION_ABITS = `ABITS;
  parameter PORT_R_RD_INIT_VALUE = 0;

`ifdef ONE_PORT
  \$assert exclusive (.A(!(PORT_R_RD_EN && |PORT_W_WR_EN)), .EN(1'b1));
  `MACRO _TECHMAP_REPLACE_ (
    .CLK(PORT_W_CLK), .RST(PORT_R_RD_ARST), .RE(PORT_R_RD_EN), .WE(PORT_W_WR_EN), .A(PORT_R_RD_EN ? PORT_R_ADDR : PORT_W_ADDR),
    .D(PORT_W_WR_DATA), .Q(PORT_R_RD_DATA)
  );
`else
  `MACRO _TECHMAP_REPLACE_ (
    .WCLK(PORT_W_CLK), .WE(PORT_W_WR_EN), .WA(PORT_W_ADDR), .D(PORT_W_WR_DATA),
    .RCLK(PORT_R_CLK), .RST(PORT_R_RD_ARST), .RE(PORT_R_RD_EN), .RA(PORT_R_ADDR), .Q(PORT_R_RD_DATA)
  );
`endif
endmodule
