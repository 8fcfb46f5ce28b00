"""Four jobs on a Dask cluster of two worker processes, of which one is killed in the middle of each: does the answer stay what it is in memory?

The victim is the worst one: a worker in the middle of a task, and of those the one that holds most data. Some two minutes of two cores.
"""

import logging
import os
import signal
import tempfile
from collections import Counter
from functools import partial
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed, parallel_config
from tqdm.auto import tqdm

from .store import store

PACKAGES = ("distributed", "joblib", "pyarrow")
WORKERS, SEED = 2, 0
ROWS, COLUMNS = 100_000, 10
FILES, ROWS_OF_FILE = 40, 250_000
SAMPLES, RESAMPLES = 60, 4000


def table(rows):
    """(X, y): normal columns, a third of the rows positive, which two of the columns and their product decide."""
    rng = np.random.default_rng(SEED)
    X = rng.normal(size=(rows, COLUMNS))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + rng.logistic(size=rows) > 1).astype(int)


def forest(folder):
    """Scores of the training rows, out of the bag and by all trees."""
    from aucbook import TreeRankForest

    X, y = table(ROWS)
    found = TreeRankForest(n_estimators=200, random_state=SEED).fit(X, y)
    return np.r_[found.oob_decision_function_, found.decision_function(X)]


def comparison(folder):
    """Out-of-fold scores of five rankers, among them some that work in threads themselves."""
    from sklearn.linear_model import LogisticRegression

    from aucbook import AdditiveRanker, TreeRank, TreeRankBoost, TreeRankForest, compare

    X, y = table(ROWS // 10)
    rankers = {
        "logistic regression": LogisticRegression(),
        "ranking tree": TreeRank(),
        "forest": TreeRankForest(n_estimators=50, random_state=SEED),
        "boosted trees": TreeRankBoost(random_state=SEED),
        "additive": AdditiveRanker(),
    }
    found = compare(X, y, rankers, max_fpr=0.1, random_state=SEED)
    if found.failures:
        raise RuntimeError(found.failures)
    return np.concatenate([found.scores[name] for name in rankers])


def write_files(folder):
    """A folder of Parquet files: part=0/rows.parquet and so on."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    for k in range(FILES):
        rng = np.random.default_rng([SEED, k])
        y = rng.random(ROWS_OF_FILE) < 0.05
        path = folder / f"part={k}" / "rows.parquet"
        path.parent.mkdir()
        pq.write_table(
            pa.table({"sick": y.astype(np.uint8), "score": rng.normal(size=y.size) + 1.5 * y}), path
        )


def read_file(path):
    """(labels, scores) of one of them."""
    import pyarrow.parquet as pq

    rows = pq.ParquetFile(path).read(columns=["sick", "score"])
    return rows["sick"].to_numpy(), rows["score"].to_numpy()


def areas(folder):
    """The exact area of the Parquet files, whole and up to a false positive rate of 1 %."""
    from aucbook import exact_auc

    files = [partial(read_file, path) for path in sorted(folder.glob("part=*/rows.parquet"))]
    return np.array([exact_auc(files, max_fpr=beta, max_rows=2_000_000) for beta in (1, 0.01)])


def intervals(folder):
    """Bootstrap intervals of the scores of many studies."""
    from aucbook import auc_interval

    def one(seed):
        rng = np.random.default_rng([SEED, seed])
        y = rng.random(5000) < 0.2
        found = auc_interval(
            y,
            rng.normal(size=5000) + y,
            min_fpr=0,
            max_fpr=0.1,
            method="bootstrap",
            n_resamples=RESAMPLES,
            random_state=seed,
        )
        return found[:3]

    return np.ravel(Parallel()(delayed(one)(seed) for seed in range(SAMPLES)))


JOBS = {  # what it is called, and after how many tasks a worker dies
    "a forest": (forest, 1),
    "compare": (comparison, 8),
    "exact AUC": (areas, FILES + 5),  # the second reading has begun
    "bootstrap": (intervals, 5),
}


def reaper(cluster, after):
    """A plugin of the scheduler that counts tasks and, when `after` of them are done, kills a worker."""
    from distributed.diagnostics.plugin import SchedulerPlugin

    class Reaper(SchedulerPlugin):
        name = "reaper"

        def __init__(self):
            self.runs = Counter()
            self.done = set()
            self.killed = []
            self.done_when_killed = None

        def transition(self, key, start, finish, *args, **kwargs):
            if finish == "processing":
                self.runs[key] += 1
            if (start, finish) == ("processing", "memory"):
                self.done.add(key)
            busy = [worker for worker in cluster.scheduler.workers.values() if worker.processing]
            if len(self.done) >= after and busy and not self.killed:
                victim = max(busy, key=lambda worker: worker.nbytes)
                self.killed = [
                    nanny.pid
                    for nanny in cluster.workers.values()
                    if nanny.worker_address == victim.address
                ]
                self.done_when_killed = len(self.done)
                for pid in self.killed:
                    os.kill(pid, signal.SIGKILL)

    return Reaper()


def attempt(job, folder, after):
    """The job in memory and on a cluster that loses a worker: what differs, and what was lost."""
    from distributed import Client, LocalCluster

    here = job(folder)
    with (
        LocalCluster(
            WORKERS,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster) as client,
    ):
        death = reaper(cluster, after)
        cluster.scheduler.add_plugin(death)
        with parallel_config("dask"):
            there = job(folder)
        cluster.scheduler.remove_plugin(death.name)
        if not death.killed:
            raise RuntimeError("the job was over before a worker could be killed: make it longer")
        client.wait_for_workers(WORKERS, timeout=60)  # its nanny has begun another
    return {
        "answers": here.size,
        "largest difference": float(np.abs(here - there).max()),
        "workers killed": len(death.killed),
        "tasks": len(death.runs),
        "done when it died": death.done_when_killed,
        "tasks run again": sum(death.runs.values()) - len(death.runs),
    }


def run():
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder))
        for what, (job, after) in (bar := tqdm(JOBS.items(), desc="cluster")):
            bar.set_postfix_str(what)
            rows.append({"job": what, **attempt(job, Path(folder), after)})
            tqdm.write(str(rows[-1]))
    store("cluster", {"workers": WORKERS, "jobs": rows}, seeds=[SEED], packages=PACKAGES)
