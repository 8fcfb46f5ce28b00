"""Alternating turns in one process: ours, peer, ours, peer, … A time means nothing on its own; a ratio taken this way survives a busy machine.

In its turn each side is called again and again until at least `TURN` seconds have passed, and at least a fiftieth of the slower side's
time, as timeit does: "ratio" compares the mean time of a call within the turn (both sides warm), "first" the first call of each turn
(both sides find the other's data in the caches).
Every row has a fresh process: memory that the rows before have left in pieces is neither side's merit.
Before it is timed, a row compares what both sides compute (`compare`): a row without a comparison cannot be measured, and one whose
sides differ has no ratio.
"""

import gc
import time
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

import numpy as np

ROWS = []
TURN = 0.02


class DifferentResultsError(Exception):
    """What both sides compute differs by more than the row allows."""


class Goal(float):
    """The ratio to reach, with those it replaced: `Goal(1 / 3, was=[(1 / 1.5, reason)])`; a lowered goal stays visible."""

    def __new__(cls, value, was=()):
        goal = super().__new__(cls, value)
        goal.was = [{"goal": round(float(old), 2), "because": reason} for old, reason in was]
        return goal


def row(name, goal, sizes):
    """Register make(n) -> (ours, peer, compare), measured at each size.

    ours, peer : functions without arguments, which are timed.
    compare : called once before; says in words what was compared, and raises `DifferentResultsError` where the sides differ. See `compare.py`.
    goal : the ratio peer / ours to reach, a number or a `Goal`, or a dict size -> these.
    """

    def register(make):
        ROWS.append((name, make, {n: goal[n] if isinstance(goal, dict) else goal for n in sizes}))
        return make

    return register


def turn(function, least=TURN):
    """(seconds of the first call, mean seconds of a call) of one turn."""
    start = time.perf_counter()
    function()
    first, calls = time.perf_counter() - start, 1
    while (elapsed := time.perf_counter() - start) < least:
        function()
        calls += 1
    return first, elapsed / calls


def measure(ours, peer, budget=4.0):
    """Median peer / ours over alternating turns, after one warm-up of each; at most `budget` seconds or 200 rounds, at least 5 rounds,
    or 3 when a round alone takes longer than the budget.
    """
    start = time.perf_counter()
    ours(), peer()
    warm_up = time.perf_counter() - start
    rounds, long = 5 if warm_up < budget else 3, max(TURN, warm_up / 50)
    a = []
    b = []
    end = time.perf_counter() + budget
    gc.disable()
    while len(a) < rounds or (len(a) < 200 and time.perf_counter() < end):
        a.append(turn(ours, long)), b.append(turn(peer, long))
    gc.enable()
    first, mean = np.median(b, axis=0) / np.median(a, axis=0)
    return {"ratio": round(float(mean), 2), "first": round(float(first), 2), "rounds": len(a)}


def register_rows():
    for path in sorted(Path(__file__).parent.glob("rows*.py")):
        import_module(f"benchmarks.{path.stem}")


def compared_and_measured(name, n, budget):
    register_rows()
    warm_heap()
    try:
        ours, peer, compare = next(make for row, make, _ in ROWS if row == name)(n)
        said = compare()
    except ImportError as error:  # most peers are optional
        return {"left out": str(error)}
    except DifferentResultsError as error:
        return {"different": str(error)}
    return {**measure(ours, peer, budget), "compared": said}


def measure_apart(name, n, budget):
    """`measure` of one row and size in a process of its own, and in "compared" what was compared before;
    only {"left out": why} if a package is missing, only {"different": how} if the sides do not agree.
    """
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(compared_and_measured, name, n, budget).result()


def warm_heap():
    """Free one large block, so that both sides may reuse memory: fresh pages cost as much as a sort, and only a process's first arrays should pay."""
    np.ones(4_000_000 - 100)
