"""Alternating turns in one process: ours, peer, ours, peer, … A time means nothing on its own; a ratio taken this way survives a busy machine.

In its turn each side is called again and again until at least `TURN` seconds have passed, as timeit does: "ratio" compares the mean
time of a call within the turn (both sides warm), "first" the first call of each turn (both sides find the other's data in the caches).
"""
import gc
import platform
import time
from importlib.metadata import version

import numpy as np

ROWS = []
TURN = 0.02


def row(name, goal, sizes):
    """Register make(n) -> (ours, peer), two functions without arguments, measured at each size.

    goal : the ratio peer / ours to reach, or a dict size -> ratio.
    """
    def register(make):
        ROWS.append((name, make, {n: goal[n] if isinstance(goal, dict) else goal for n in sizes}))
        return make
    return register


def turn(function):
    "(seconds of the first call, mean seconds of a call) of one turn"
    start = time.perf_counter()
    function()
    first, calls = time.perf_counter() - start, 1
    while (elapsed := time.perf_counter() - start) < TURN:
        function()
        calls += 1
    return first, elapsed / calls


def measure(ours, peer, budget=4.0):
    """Median peer / ours over alternating turns, after one warm-up of each; at most `budget` seconds or 200 rounds, at least 5 rounds,
    or 2 when a round alone takes longer than the budget."""
    start = time.perf_counter()
    ours(), peer()
    least = 5 if time.perf_counter() - start < budget else 2
    a, b, end = [], [], time.perf_counter() + budget
    gc.disable()
    while len(a) < least or (len(a) < 200 and time.perf_counter() < end):
        a.append(turn(ours)), b.append(turn(peer))
    gc.enable()
    first, mean = np.median(b, axis=0) / np.median(a, axis=0)
    return {"ratio": round(float(mean), 2), "first": round(float(first), 2), "rounds": len(a)}


def machine():
    "What the numbers depend on; the instruction sets decide how fast NumPy sorts."
    try:
        flags = set(open("/proc/cpuinfo").read().split())
    except OSError:
        flags = set()
    return {"processor": platform.machine(), "avx512": "avx512f" in flags, "avx2": "avx2" in flags, "python": platform.python_version(),
            **{p: version(p) for p in ("numpy", "scipy", "scikit-learn", "numba")}}


def warm_heap():
    "Free one large block, so that both sides may reuse memory: fresh pages cost as much as a sort, and only a process's first arrays should pay."
    np.ones(4_000_000 - 100)
