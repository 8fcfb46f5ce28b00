"""The AUC of a hundred million scores in parts, beside the same in memory, for chapter 63.

python -m benchmarks.results_scale     (a few minutes; about 5 GB for the run in memory)
writes nbs/results/scale.json: the areas, and the largest memory each process held.
"""
import json
import resource
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np

PATH = Path(__file__).parents[1] / "nbs/results/scale.json"
PARTS, ROWS = 100, 10**6


def part(k):
    rng = np.random.default_rng(k)
    y = rng.random(ROWS) < 0.05
    return y, rng.normal(size=ROWS) + 1.5 * y


def streamed(alpha, beta):
    from functools import partial

    from aucbook.scale import exact_auc
    return exact_auc([partial(part, k) for k in range(PARTS)], alpha, beta, max_rows=10**7, pos_label=True)


def binned(alpha, beta):
    from functools import partial

    from aucbook.scale import binned_counts
    return binned_counts([partial(part, k) for k in range(PARTS)], pos_label=True).auc(alpha, beta).estimate


def in_memory(alpha, beta):
    from aucbook import partial_auc
    y, s = np.empty(PARTS * ROWS, bool), np.empty(PARTS * ROWS)
    for k in range(PARTS):
        y[k * ROWS:(k + 1) * ROWS], s[k * ROWS:(k + 1) * ROWS] = part(k)
    return partial_auc(y, s, alpha, beta)


def run():
    runs = []
    for what in ("in_memory", "streamed", "binned"):
        row = {"what": {"in_memory": "in memory", "streamed": "exact, in parts", "binned": "4096 bins"}[what]}
        for alpha, beta in ((0, 1), (0, 0.01)):
            code = f"from benchmarks.results_scale import *; a = {what}({alpha}, {beta}); print(repr(float(a)), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
            area, megabytes = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
            row[f"AUC({alpha}, {beta})"] = float(area)
            row["peak MB"] = max(row.get("peak MB", 0), int(megabytes))
        runs.append(row)
        print(row, flush=True)
    PATH.write_text(json.dumps({"rows": PARTS * ROWS, "versions": {p: version(p) for p in ("numpy", "joblib")}, "runs": runs}, indent=1) + "\n")


if __name__ == "__main__":
    run()
