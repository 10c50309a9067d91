# SPDX-License-Identifier: Apache-2.0
"""The C model of rf_rr through ctypes. As a program: python3 rf_rr_model.py LIBRARY FOLDER plays the vectors that
`lockstep export rf_rr --to vectors -o FOLDER` left there, and says how many cycles are equal."""
import ctypes
import os
import sys


# As in cmodel/common/rf_rr.h, member by member.
class Cfg(ctypes.Structure):
    _fields_ = [("n", ctypes.c_uint32)]


class In(ctypes.Structure):
    _fields_ = [("req", ctypes.c_uint64), ("take", ctypes.c_uint8)]


class Out(ctypes.Structure):
    _fields_ = [("grant", ctypes.c_uint64), ("valid", ctypes.c_uint8)]


class State(ctypes.Structure):
    _fields_ = [("cfg", Cfg), ("mask_q", ctypes.c_uint64)]


class Model:
    """One arbiter of n requesters. A cycle is comb with its inputs, then clock with the same."""

    def __init__(self, library, n):
        self.lib = ctypes.CDLL(library)
        self.state = State()
        if self.lib.rf_rr_init(ctypes.byref(self.state), ctypes.byref(Cfg(n))) != 0:
            raise ValueError(f"rf_rr: N={n} is out of range")

    def reset(self):
        self.lib.rf_rr_reset(ctypes.byref(self.state))

    def comb(self, req, take):
        out = Out()
        self.lib.rf_rr_comb(ctypes.byref(self.state), ctypes.byref(In(req, take)), ctypes.byref(out))
        return out.grant, out.valid

    def clock(self, req, take):
        self.lib.rf_rr_clock(ctypes.byref(self.state), ctypes.byref(In(req, take)))

    @property
    def mask_q(self):
        return self.state.mask_q


def lines(folder, name):
    with open(os.path.join(folder, f"rf_rr_{name}.hex"), encoding="ascii") as f:
        return [[int(field, 16) for field in line.split("_")] for line in f if not line.startswith("//")]


def play(library, folder):
    model = Model(library, 8)
    cycles = 0
    for (take, req, marks), (valid, grant), (mask,) in zip(
            lines(folder, "inputs"), lines(folder, "outputs"), lines(folder, "registers"), strict=True):
        in_reset = marks & 1 == 0
        if in_reset:
            model.reset()
        if model.comb(req, take) != (grant, valid):
            raise SystemExit(f"cycle {cycles}: {model.comb(req, take)} and not {(grant, valid)}")
        if not in_reset:
            model.clock(req, take)
        if model.mask_q != mask:
            raise SystemExit(f"cycle {cycles}: mask_q {model.mask_q:x} and not {mask:x}")
        cycles += 1
    print(f"{cycles} cycles are equal")


if __name__ == "__main__":
    play(sys.argv[1], sys.argv[2])
