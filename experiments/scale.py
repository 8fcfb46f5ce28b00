"""The AUC of a hundred million scores in parts, beside the same in memory: the areas, and the largest memory each process held.

A few minutes; about 5 GB for the run in memory.
"""

import resource
import subprocess
import sys
from functools import partial

import numpy as np
from tqdm.auto import tqdm

from .store import store

PARTS, ROWS = 100, 10**6


def part(k):
    rng = np.random.default_rng(k)
    y = rng.random(ROWS) < 0.05
    return y, rng.normal(size=ROWS) + 1.5 * y


def streamed(alpha, beta):
    from aucbook import exact_auc

    return exact_auc([partial(part, k) for k in range(PARTS)], alpha, beta, max_rows=10**7, pos_label=True)


def binned(alpha, beta):
    from aucbook import binned_counts

    return binned_counts([partial(part, k) for k in range(PARTS)], pos_label=True).auc(alpha, beta).estimate


def in_memory(alpha, beta):
    from aucbook import partial_auc

    y, s = np.empty(PARTS * ROWS, bool), np.empty(PARTS * ROWS)
    for k in range(PARTS):
        y[k * ROWS : (k + 1) * ROWS], s[k * ROWS : (k + 1) * ROWS] = part(k)
    return partial_auc(y, s, alpha, beta)


def report(area):
    "For the process that asked: the area, and the largest memory this one held, in MB"
    print(repr(float(area)), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


def run():
    runs = []
    for what in tqdm(("in_memory", "streamed", "binned"), desc="scale"):
        row = {"what": {"in_memory": "in memory", "streamed": "exact, in parts", "binned": "4096 bins"}[what]}
        for alpha, beta in ((0, 1), (0, 0.01)):
            code = f"from experiments.scale import {what}, report; report({what}({alpha}, {beta}))"
            area, megabytes = subprocess.run(
                [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True
            ).stdout.split()
            row[f"AUC({alpha}, {beta})"] = float(area)
            row["peak MB"] = max(row.get("peak MB", 0), int(megabytes))
        runs.append(row)
        tqdm.write(str(row))
    store("scale", {"rows": PARTS * ROWS, "runs": runs}, seeds=[range(PARTS)], packages=("joblib",))
