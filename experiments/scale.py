"""The AUC of a billion scores in a thousand files, in a process that may not hold more than 2 GiB: the areas, the memory, and what a score costs
beside sorting it.

Each way runs in a process of its own and counts its processor's seconds, which others on the machine hardly lengthen. Some five minutes
of one core, 5 GB of disk for the files, which are removed in the end, and 4 GB of memory for the answer to compare with.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np
from tqdm.auto import tqdm

from .store import store

FILES = 1000
ROWS = 10**6
SHARE = 0.05
SHIFT = 1.5
RANGES = (0.0, 1.0), (0.0, 0.01)
CAP, MAX_ROWS = 2 * 2**30, 6 * 10**7
SORTED = 100  # files that are sorted for comparison


def write_file(folder, k):
    """Labels (uint8) and scores (float32), one after the other in one file."""
    rng = np.random.default_rng(k)
    y = rng.random(ROWS, dtype=np.float32) < SHARE
    score = rng.standard_normal(ROWS, dtype=np.float32) + np.float32(SHIFT) * y
    with open(folder / f"{k:03}.npy", "wb") as file:
        np.save(file, y.view(np.uint8))
        np.save(file, score)


def read_file(path):
    """(labels, scores)."""
    with open(path, "rb") as file:
        return np.load(file), np.load(file)


def counted(paths):
    """The files as parts for the library, and a list that grows with each that is read."""
    read = []

    def load(path):
        read.append(path)
        return read_file(path)

    return [partial(load, path) for path in paths], read


def in_memory(paths):
    """From the definition, without the library: of each negative up to the range's end, the positives above it and half of those beside it."""
    start = time.process_time()
    scores = np.empty(len(paths) * ROWS, np.float32)
    n = 0
    end = len(paths) * ROWS
    for path in paths:
        y, s = read_file(path)
        low, high = s[y == 0], s[y == 1]
        scores[n : n + low.size], scores[end - high.size : end] = low, high
        n, end = n + low.size, end - high.size
    negative = scores[:n]
    positive = scores[n:]
    m = scores.size - n
    rows = []
    negative.sort()
    positive.sort()
    sorted_after = time.process_time() - start
    for alpha, beta in RANGES:  # alpha is 0
        start = time.process_time()
        last = negative[
            n - int(np.ceil(beta * n))
        ]  # the range ends among the negatives of this score
        low, high = (np.searchsorted(negative, last, side) for side in ("left", "right"))
        twice = 0  # the pairs won, and those tied once more
        for first in range(high, n, 10**7):
            block = negative[first : first + 10**7]
            twice += sum(
                int((m - np.searchsorted(positive, block, side)).sum())
                for side in ("left", "right")
            )
        above = m - np.searchsorted(positive, last, "right")
        beside = np.count_nonzero(positive == last)
        rest = beta * n - (n - high)  # of the last score's negatives
        pairs = twice / 2 + rest * (above + beside * rest / (high - low) / 2)
        seconds = sorted_after + time.process_time() - start
        area = float(pairs / (beta * n) / m)
        rows.append(
            {"from": alpha, "to": beta, "area": area, "readings": 1, "processor seconds": seconds}
        )
    return rows


def sorting(paths):
    """Of some of the files, three times: NumPy's sort of the scores alone, and the AUC, both in memory."""
    from aucbook import roc_auc

    y, score = (np.concatenate(column) for column in zip(*map(read_file, paths[:SORTED])))
    roc_auc(y[:100], score[:100])  # compiled
    rows = []
    for _ in range(3):
        for what, action in (
            ("np.sort", lambda: np.sort(score)),
            ("roc_auc", lambda: roc_auc(y, score)),
        ):
            start = time.process_time()
            action()
            rows.append(
                {"what": what, "rows": score.size, "processor seconds": time.process_time() - start}
            )
    return rows


def bins(paths):
    from aucbook.metrics import binned_counts

    cap()
    (parts, read), start = counted(paths), time.process_time()
    counts = binned_counts(parts)
    cost = {"readings": len(read) / len(paths), "processor seconds": time.process_time() - start}
    return [
        {
            "from": alpha,
            "to": beta,
            "area": area.estimate,
            "low": area.low,
            "high": area.high,
            **cost,
        }
        for alpha, beta in RANGES
        for area in [counts.auc(min_fpr=alpha, max_fpr=beta)]
    ]


def exact(paths):
    from aucbook import exact_auc

    cap()
    exact_auc([read_file(paths[0])], max_rows=ROWS // 10)  # compiled
    rows = []
    for alpha, beta in RANGES:
        (parts, read), start = counted(paths), time.process_time()
        area = exact_auc(parts, min_fpr=alpha, max_fpr=beta, max_rows=MAX_ROWS, verbose=1)
        cost = {
            "readings": len(read) / len(paths),
            "processor seconds": time.process_time() - start,
        }
        rows.append({"from": alpha, "to": beta, "area": area, **cost})
    return rows


def cap():
    """From here on this process is refused more memory."""
    resource.setrlimit(resource.RLIMIT_DATA, (CAP, CAP))


WAYS = {"in memory": in_memory, "sorting": sorting, "4096 bins": bins, "exact, in parts": exact}


def report(way, folder):
    """For the process that asked: the rows of one way as JSON, with the largest memory that this process held, in MB."""
    rows = WAYS[way](sorted(Path(folder).glob("*.npy")))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps([{"what": way, **row, "peak MB": peak} for row in rows]))


def run():
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for k in tqdm(range(FILES), desc="scale: files"):
            write_file(Path(folder), k)
        os.sync()  # or the disk would still be writing while time is taken
        for way in tqdm(WAYS, desc="scale: ways"):
            code = "import sys; from experiments.scale import report; report(*sys.argv[1:])"
            ran = subprocess.run(
                [sys.executable, "-c", code, way, folder],
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            )
            rows += json.loads(ran.stdout)
            tqdm.write(ran.stdout)
    settings = {
        "rows": FILES * ROWS,
        "files": FILES,
        "bytes of a score": 5,
        "cap MB": CAP // 2**20,
        "max rows": MAX_ROWS,
    }
    store("scale", {**settings, "runs": rows}, seeds=[range(FILES)], packages=("joblib",))
