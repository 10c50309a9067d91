// SPDX-License-Identifier: Apache-2.0
// Tag array of a set-associative cache, four ways, true LRU: age 0 is the way that was used last, age 3 the next victim.
module lru_tags #(parameter SETS = 4, TAGW = 6) (
    input  wire                     clk,
    input  wire                     reset,
    input  wire                     lookup,
    input  wire [$clog2(SETS)-1:0]  set,
    input  wire [TAGW-1:0]          tag,
    output reg                      hit,
    output reg  [1:0]               way
);
    reg [TAGW-1:0] tags  [0:SETS*4-1];
    reg            valid [0:SETS*4-1];
    reg [1:0]      age   [0:SETS*4-1];

    integer i;
    reg found;
    reg [1:0] w;
    always @* begin
        found = 0;
        w = 0;
        for (i = 0; i < 4; i = i + 1)
            if (age[set*4 + i] == 3) w = i[1:0];
        for (i = 0; i < 4; i = i + 1)
            if (valid[set*4 + i] && tags[set*4 + i] == tag) begin found = 1; w = i[1:0]; end
    end

    integer k;
    always @(posedge clk)
        if (reset) begin
            hit <= 0;
            way <= 0;
            for (k = 0; k < SETS*4; k = k + 1) begin
                tags[k] <= 0; valid[k] <= 0; age[k] <= k[1:0];
            end
        end else begin
            hit <= lookup & found;
            if (lookup) begin
                way <= w;
                tags[set*4 + w] <= tag;
                valid[set*4 + w] <= 1;
                for (k = 0; k < 4; k = k + 1)
                    if (age[set*4 + k] < age[set*4 + w]) age[set*4 + k] <= age[set*4 + k] + 1;
                age[set*4 + w] <= 0;
            end
        end
endmodule
