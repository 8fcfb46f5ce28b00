"""The first fit after an installation: processor seconds of every ranker in a fresh process, with an empty cache of compiled kernels.

Seconds and not ratios, for there is no peer. Processor time hardly depends on what else runs; how fast the machine is, a fixed job says that
is measured in the same run: the processor seconds of compiling one kernel that never changes (`unit`).
`python -m benchmarks.cold TABLE NAME …` is such a fresh process: it prints its seconds as JSON.
"""

import inspect
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import numpy as np

EACH, TOGETHER = 3.0, 15.0  # goals, in seconds
RUNS = 3  # the same first fit differs by some per cent from one process to the next
ALL, UNIT = "all of them in one process", "unit"


def processor_seconds():
    """Of this process with all its threads, and of its children that have ended."""
    import resource

    use = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in use)


# ---------------------------------------------------------------- in the fresh process
def first_fits(table, names):
    """Seconds to import the classes, and to fit and score with their defaults: all of them for the first time, then all of them again."""
    data = np.load(table)
    X, y = data["X"], data["y"]
    warnings.simplefilter("ignore")  # at their defaults some say that they have not converged
    start = processor_seconds()
    rankers = [
        getattr(import_module(door), name)()
        for door, _, name in (place.rpartition(".") for place in names)
    ]
    took = {"import": processor_seconds() - start}
    for what in ("first", "again"):
        start = processor_seconds()
        for ranker in rankers:
            ranker.fit(X, y).decision_function(X)
        took[what] = processor_seconds() - start
    return took


def reference_job():
    """Seconds to import numba, and to compile a kernel that sorts and scans."""
    start = processor_seconds()
    from numba import njit

    took = {"import": processor_seconds() - start}

    def area(scores, labels):
        order = np.argsort(scores)
        positives = negatives = won = tied = 0.0
        i = 0
        while i < order.size:
            p = n = 0.0
            first = scores[order[i]]
            while i < order.size and scores[order[i]] == first:
                p += labels[order[i]]
                n += 1 - labels[order[i]]
                i += 1
            won += p * negatives
            tied += p * n
            positives += p
            negatives += n
        return (won + tied / 2) / (positives * negatives)

    start = processor_seconds()
    njit(area)(np.arange(4.0), np.array([0.0, 1.0, 0.0, 1.0]))
    return took | {"first": processor_seconds() - start}


# ---------------------------------------------------------------- in the process that measures
def rankers():
    """{name: its full name} of all public classes that can be fitted and that score.

    A class without a `fit` that works, a fitted classifier, is none of them.
    """
    import aucbook
    from aucbook.deployment.fitted_classifier import FittedClassifier

    doors = [f"aucbook.{found.name}" for found in iter_modules(aucbook.__path__) if found.ispkg]
    found = {
        name: (f"{door}.{name}", getattr(import_module(door), name))
        for door in doors
        for name in getattr(import_module(door), "__all__", ())
    }
    return {
        name: place
        for name, (place, c) in sorted(found.items())
        if inspect.isclass(c) and hasattr(c, "fit") and hasattr(c, "decision_function")
        if not issubclass(c, FittedClassifier)
    }


def save_table(path):
    """569 rows with 30 columns, stretched to 0 … 1: what counts words wants no negative number."""
    from sklearn.datasets import load_breast_cancer

    X, y = load_breast_cancer(return_X_y=True)
    np.savez(path, X=(X - X.min(0)) / np.ptp(X, axis=0), y=1 - y)


def in_fresh_process(table, *names):
    with tempfile.TemporaryDirectory() as cache:
        run = subprocess.run(
            [sys.executable, "-m", "benchmarks.cold", str(table), *names],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "NUMBA_CACHE_DIR": cache},
        )
    return json.loads(run.stdout)


def jobs(pattern=""):
    """(name, full names of the classes to fit, goal) of what matches, each by itself and then all together."""
    found = rankers()
    every = [(f"cold start: {name}", [place], EACH) for name, place in found.items()]
    every.append((f"cold start: {ALL}", list(found.values()), TOGETHER))
    return [job for job in every if re.search(pattern, job[0])]


def cold(jobs, report):
    """{"unit": seconds, "rows": [{"name", "import", "first", "again", "goal", "ratio": goal / first, "met"}]}; `report` gets each row.

    Each job runs RUNS times, and the run with the median of the first seconds counts; so does the median of the units, which are
    measured before every tenth job.
    """
    units, rows = [], []
    with tempfile.TemporaryDirectory() as folder:
        save_table(table := Path(folder) / "table.npz")
        for name, members, goal in jobs:
            if len(rows) % 10 == 0:
                units.append(in_fresh_process(table, UNIT)["first"])
            runs = [in_fresh_process(table, *members) for _ in range(RUNS)]
            took = sorted(runs, key=lambda run: run["first"])[RUNS // 2]
            rows.append(
                {
                    "name": name,
                    **{k: round(v, 3) for k, v in took.items()},
                    "goal": goal,
                    "ratio": round(goal / took["first"], 2),
                    "met": took["first"] <= goal,
                }
            )
            report(rows[-1])
    return {"unit": round(float(np.median(units)), 3), "rows": rows}


if __name__ == "__main__":
    table, *names = sys.argv[1:]
    print(json.dumps(reference_job() if names == [UNIT] else first_fits(table, names)))
