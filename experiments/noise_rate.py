"""What MartiRank gains when it knows the noise rate, the right one or a wrong one: clean-label AUC of every split, by both rankings.

Splits and flipped labels are those of noise.py, on its three tables and three with few positives; and on sixty weak columns,
where a program that saw the true labels can be the measure. Ten minutes of one core.
"""

import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit
from tqdm.auto import tqdm

from aucbook import MartiRank, load_dataset, roc_auc

from .noise import NOISE, ROWS, SETS, SPLITS
from .store import store

RARE = ("annthyroid", "letter_A", "abalone19")
ASSUMED = (None, 0.1, 0.2, 0.3)
COLUMNS = 60
COLUMN_ROWS = 20_000
SHARE = 0.1
RIGHT = 0.7
WRONG = 0.3
SEEDS = 5


def by_rankings(X, y, Xt, yt, assumed):
    """{ranking: AUC on clean labels} of one program; None if the data cannot have so much noise."""
    try:
        model = MartiRank(noise_rate=assumed).fit(X, y)
    except ValueError as error:
        if "is too large for these labels" not in str(error):
            raise
        return None
    return {
        ranking: round(roc_auc(yt, model.set_params(ranking=ranking).decision_function(Xt)), 6)
        for ranking in ("bin", "vote")
    }


def weak_columns(rows, seed):
    """(X, true labels): independent columns that are 1 with probability RIGHT in a positive and WRONG in a negative."""
    rng = np.random.default_rng(seed)
    c = (rng.random(rows) < SHARE).astype(np.uint8)
    return (rng.random((rows, COLUMNS)) < np.where(c == 1, RIGHT, WRONG)[:, None]) * 1.0, c


def sixty_columns(seed, noise=0.3):
    """A draw: programs from true labels, from noisy ones, and from noisy ones with the rate."""
    (X, c), (Xt, ct) = weak_columns(COLUMN_ROWS, seed), weak_columns(COLUMN_ROWS, 1000 + seed)
    y = c ^ (np.random.default_rng(2000 + seed).random(c.size) < noise)
    return {
        "true labels": by_rankings(X, c, Xt, ct, None),
        "noisy labels": by_rankings(X, y, Xt, ct, None),
        "and the rate": by_rankings(X, y, Xt, ct, noise),
    }


def run():
    results, inputs = {"rows": ROWS, "splits": SPLITS, "sets": {}, "auc": {}}, {}
    for name in tqdm((*SETS, *RARE), desc="noise_rate"):
        data = load_dataset(name)
        X, y = np.asarray(data.data, dtype=float), data.target
        size = min(ROWS, len(y) // 2)
        parts = list(StratifiedShuffleSplit(SPLITS, train_size=size, random_state=0).split(X, y))
        results["sets"][name] = {
            "n": len(y),
            "d": X.shape[1],
            "positives": int(y.sum()),
            "train": size,
        }
        inputs[name] = data.sha256
        for noise in NOISE:
            flips = [np.random.default_rng(seed).random(size) < noise for seed in range(SPLITS)]
            results["auc"].setdefault(name, {})[f"{noise:.0%}"] = {
                str(assumed): [
                    by_rankings(X[train], y[train] ^ flip, X[test], y[test], assumed)
                    for (train, test), flip in zip(parts, flips)
                ]
                for assumed in ASSUMED
            }
    results["columns"] = {
        "rows": COLUMN_ROWS,
        "draws": [sixty_columns(seed) for seed in range(SEEDS)],
    }
    seeds = [range(SPLITS), range(SEEDS), range(1000, 1000 + SEEDS), range(2000, 2000 + SEEDS)]
    store("noise_rate", results, seeds=seeds, inputs=inputs)
