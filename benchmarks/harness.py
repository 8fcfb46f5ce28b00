"""Alternating runs in one process: ours, peer, ours, peer, … A time means nothing on its own; a ratio taken this way survives a busy machine."""
import gc
import platform
import time
from importlib.metadata import version
from statistics import median

import numpy as np

ROWS = []


def row(name, goal, sizes):
    """Register make(n) -> (ours, peer), two functions without arguments, measured at each size.

    goal : the ratio peer / ours to reach, or a dict size -> ratio.
    """
    def register(make):
        ROWS.append((name, make, {n: goal[n] if isinstance(goal, dict) else goal for n in sizes}))
        return make
    return register


def seconds(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def measure(ours, peer, budget=4.0):
    "Median peer / ours over alternating runs, after one warm-up of each; at least 5 rounds, at most `budget` seconds or 200 rounds."
    ours(), peer()
    a, b, end = [], [], time.perf_counter() + budget
    gc.disable()
    while len(a) < 5 or (len(a) < 200 and time.perf_counter() < end):
        a.append(seconds(ours)), b.append(seconds(peer))
    gc.enable()
    return {"ratio": round(median(b) / median(a), 2), "best_ratio": round(min(b) / min(a), 2), "rounds": len(a)}


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
