# SPDX-License-Identifier: Apache-2.0
"""rf_rr beside its C model, in any simulator that cocotb knows."""
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge

from rf_rr_model import Model


@cocotb.test()
async def beside_the_model(dut):
    model = Model(os.environ["RFMODEL"], 8)
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    for cycle in range(2000):
        await FallingEdge(dut.clk_i)
        in_reset = cycle < 2
        req, take = random.getrandbits(8), random.getrandbits(1)
        dut.rst_ni.value, dut.req_i.value, dut.take_i.value = int(not in_reset), req, take
        await ReadOnly()
        if in_reset:
            model.reset()
        else:
            expected = model.comb(req, take)
            seen = int(dut.grant_o.value), int(dut.valid_o.value)
            assert seen == expected, f"cycle {cycle}: {seen} and not {expected}"
            model.clock(req, take)
        await RisingEdge(dut.clk_i)
        await ReadOnly()
        assert int(dut.mask_q.value) == model.mask_q, f"cycle {cycle}: mask_q {dut.mask_q.value} and not {model.mask_q:b}"
