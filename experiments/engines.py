"""Exact areas of scores in a Parquet file, from DuckDB, Polars, Arrow and in parts: scans, memory, and time beside the engine's own sort.

Each engine runs in a process of its own, with two threads, is asked, and sorts the scores; what counts are the processor's seconds, the fewer of
two runs. Some minutes, and a file of half a gigabyte, which is removed in the end.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path

import numpy as np
from tqdm.auto import tqdm

from .store import store

PACKAGES = "duckdb", "polars", "pyarrow"
ROWS = 3 * 10**7
PIECE = 10**6
SHARE = 0.05
SHIFT = 1.5
RANGES = (0.0, 0.01), (0.0, 1.0)  # the smaller one first: what memory it leaves is little
THREADS = 2


def write_file(path):
    """Labels (uint8) and scores (float), a row group for each piece."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetWriter(
        path, pa.schema([("label", pa.uint8()), ("score", pa.float64())])
    ) as writer:
        for k in tqdm(range(ROWS // PIECE), desc="engines: file"):
            rng = np.random.default_rng(k)
            y = (rng.random(PIECE) < SHARE).astype(np.uint8)
            writer.write_table(pa.table({"label": y, "score": rng.normal(size=PIECE) + SHIFT * y}))


def duckdb(path):
    import duckdb

    base = duckdb.connect(
        config={"threads": THREADS, "memory_limit": "1GB", "temp_directory": f"{path}.tmp"}
    )
    base.execute("SET enable_progress_bar = false")
    relation = base.read_parquet(path)

    def sort():
        for _ in relation.project("score").order("score DESC").to_arrow_reader(PIECE):
            pass

    return relation, sort


def polars(path):
    import polars as pl

    frame = pl.scan_parquet(path)

    def sort():
        for _ in (
            frame.select("score").sort("score", descending=True).collect_batches(engine="streaming")
        ):
            pass

    return frame, sort


def arrow(path):
    import pyarrow as pa
    from pyarrow import dataset

    pa.set_cpu_count(THREADS)
    rows = dataset.dataset(path)

    def sort():
        for _ in rows.to_table(columns=["score"]).sort_by([("score", "descending")]).to_batches():
            pass

    return rows, sort


def parts(path):
    import pyarrow.parquet as pq

    def load(k):
        table = pq.ParquetFile(path).read_row_group(k)
        return table["label"].to_numpy(), table["score"].to_numpy()

    def sort():
        np.sort(pq.read_table(path, columns=["score"])["score"].to_numpy())

    return [partial(load, k) for k in range(pq.ParquetFile(path).num_row_groups)], sort


ENGINES = {"DuckDB": duckdb, "Polars": polars, "Arrow": arrow, "in parts": parts}


def watch(peak, done):
    """The most memory that this process holds, without the files that the system keeps for it, until it is done."""
    while not done.wait(0.02):
        held = Path("/proc/self/statm").read_text().split()
        peak[0] = max(peak[0], (int(held[1]) - int(held[2])) * os.sysconf("SC_PAGE_SIZE"))


def timed(action):
    """(answer, seconds of the processor, bytes at most) of a call: the quicker of two."""
    peak = [0]
    done = threading.Event()
    seconds = []
    watcher = threading.Thread(target=watch, args=(peak, done))
    watcher.start()
    for _ in range(2):
        start = time.process_time()
        answer = action()
        seconds.append(time.process_time() - start)
    done.set()
    watcher.join()
    return answer, min(seconds), peak[0]


def report(engine, path):
    """For the process that asked: the rows of one engine as JSON."""
    from aucbook import exact_auc
    from aucbook.metrics.engines import Table

    scans, rows = [], []
    source, sort = ENGINES[engine](path)
    batches = Table.batches

    def counted(self, job, *question, how="rows"):
        scans.extend([1] * (how != "some"))  # a look at some rows is no scan
        return batches(self, job, *question, how=how)

    Table.batches = counted
    if engine == "in parts":
        many = len(source)
        source = [lambda part=part: scans.append(1 / many) or part() for part in source]
    exact_auc([([0, 1, 0, 1], [1.0, 2.0, 2.0, 3.0], [1.0, 1.0, 2.0, 2.0])], max_fpr=0.5)  # compiled
    exact_auc([([0, 1, 0, 1], [1.0, 2.0, 2.0, 3.0])], max_fpr=0.5)
    for low, high in RANGES:
        scans.clear()
        area, seconds, peak = timed(
            partial(exact_auc, source, min_fpr=low, max_fpr=high, max_rows=10**7)
        )
        row = {
            "engine": engine,
            "from": low,
            "to": high,
            "area": area,
            "scans": round(sum(scans) / 2, 1),
        }
        rows.append({**row, "processor seconds": seconds, "peak MB": peak // 2**20})
    _, unit, peak = timed(sort)
    print(
        json.dumps(
            [
                {**row, "sorts": row["processor seconds"] / unit, "sort's peak MB": peak // 2**20}
                for row in rows
            ]
        )
    )


def run():
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/scores.parquet"
        write_file(path)
        for engine in tqdm(ENGINES, desc="engines"):
            code = "import sys; from experiments.engines import report; report(*sys.argv[1:])"
            ran = subprocess.run(
                [sys.executable, "-c", code, engine, path],
                stdout=subprocess.PIPE,
                text=True,
                check=True,
                env={**os.environ, "POLARS_MAX_THREADS": str(THREADS)},
            )
            rows += json.loads(ran.stdout.splitlines()[-1])
            tqdm.write(ran.stdout)
    settings = {"rows": ROWS, "threads": THREADS, "DuckDB's limit MB": 1000}
    store("engines", {**settings, "runs": rows}, seeds=[range(ROWS // PIECE)], packages=PACKAGES)
