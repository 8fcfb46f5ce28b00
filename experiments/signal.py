"""How often `signal_test` rejects where there is nothing to find, and where there is; beside what costs more, and less.

Whole table: a thousand columns of noise.

Columns given the others (conditional randomisation): laws of three standard normal columns z, a column x in question and a label that is
independent of x given z, so that each rejection is an error. Each is tested with the true law of x given z, and with models that are
wrong to a smaller or larger degree. In a fifth law the label does depend on x given z.

Power for a whole table: two Gaussians whose means part along a thousand columns less and less (the j-th by 1/sqrt(j) times a strength).
Beside it: a forest's out-of-bag sensitivity with nineteen permutations, each fitted again (twenty fits for one p-value, on all rows); the
largest area of a single column, permuted; a ridge instead of the forest; extra trees, and extra trees whose leaves are counted on other
rows than those that chose the cuts ("honest").

Some twenty minutes of one core; the parts are "size", "given" and "power".
"""

import warnings

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import ExtraTreesClassifier, RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import ExtraTreeClassifier
from tqdm.auto import tqdm

from aucbook import AUC, TreeRankForest, tpr_at_fpr
from aucbook.inference import signal_test

from .store import store

TRIALS = 400
POWER_TRIALS = 40
SHUFFLES = 199
LEVEL = 0.05
SIZES = (100, 200)
STRENGTHS = (1.0,)
COLUMNS = 1000


def noise(rng, n=200, d=COLUMNS):
    return rng.normal(size=(n, d)), np.arange(n) % 2


def given(rng, n=400):
    """(others (n, 3), noise of the column in question (n,), noise of the label (n,))."""
    return rng.normal(size=(n, 3)), rng.normal(size=n), rng.normal(size=n)


def product(rng):
    """X stands for a product that a linear ranker cannot see."""
    z, noise, luck = given(rng)
    known = z[:, 0] * z[:, 1]
    return z, known + 0.3 * noise, known + 0.5 * luck > 0.3


def square(rng):
    """X stands for a square."""
    z, noise, luck = given(rng)
    known = z[:, 0] ** 2
    return z, known + 0.3 * noise, known + 0.5 * luck > 0.8


def close_copy(rng):
    """X is one of the others with some noise on top."""
    z, noise, luck = given(rng)
    return z, z[:, 0] + 0.1 * noise, z[:, 0] + 0.5 * luck > 0


def uneven_noise(rng):
    """The noise of x grows with a column that the label depends on."""
    z, noise, luck = given(rng)
    return z, z[:, 0] + (0.2 + np.abs(z[:, 1])) * noise, np.abs(z[:, 1]) + 0.3 * luck > 0.7


def telling(rng):
    """The label depends on x itself."""
    z, noise, luck = given(rng)
    return z, z[:, 0] + 0.5 * noise, z[:, 0] + noise + luck > 0


def true_draw(law):
    """draw(others, rng) of x given the others, by the law that made it."""
    mean = {"product": lambda z: z[:, 0] * z[:, 1], "square": lambda z: z[:, 0] ** 2}.get(
        law.__name__, lambda z: z[:, 0]
    )
    spread = {
        "uneven_noise": lambda z: 0.2 + np.abs(z[:, 1]),
        "close_copy": lambda z: 0.1,
        "telling": lambda z: 0.5,
    }.get(law.__name__, lambda z: 0.3)
    return lambda z, rng: mean(z) + spread(z) * rng.normal(size=len(z))


LAWS = (product, square, close_copy, uneven_noise, telling)
MODELS = {
    "true law": true_draw,
    "linear regression": lambda law: LinearRegression(),
    "regression forest": lambda law: RandomForestRegressor(50),
    "independent": lambda law: "independent",
}
RANKERS = {
    "logistic regression": LogisticRegression,
    "TreeRankForest(40)": lambda: TreeRankForest(40),
}
# samples with the true law, and with each other model; a forest takes long to score
GIVEN_TRIALS = {"logistic regression": (400, 200), "TreeRankForest(40)": (100, 50)}
GIVEN_SHUFFLES = 99


def p_given(law, model, ranker, seed):
    """P of x given the others."""
    z, x, y = law(np.random.default_rng(seed))
    X = np.column_stack([x, z])
    options = {"conditional_model": MODELS[model](law), "ranker": RANKERS[ranker](), "measure": AUC}
    return signal_test(
        X, y.astype(int), [0], n_resamples=GIVEN_SHUFFLES, random_state=seed, **options
    ).pvalue


def rejections_given(pool):
    """Rows: law, model, ranker, trials, rejections at the level."""
    rows = []
    for ranker in RANKERS:
        for law in LAWS:
            for model in MODELS:
                trials = GIVEN_TRIALS[ranker][model != "true law"]
                p = pool(delayed(p_given)(law, model, ranker, seed) for seed in range(trials))
                rejected = int(np.sum(np.array(p) <= LEVEL + 1e-9))
                rows.append(
                    {"law": law.__name__, "model": model, "ranker": ranker, "trials": trials}
                )
                rows[-1]["rejected"] = rejected
                print(rows[-1], flush=True)
    return rows


def two_gaussians(rng, n, strength):
    y = np.arange(n) % 2
    return rng.normal(size=(n, COLUMNS)) + strength / np.sqrt(np.arange(1, COLUMNS + 1)) * y[
        :, None
    ], y


def by_refits(X, y, seed, refits=19):
    """P of the out-of-bag sensitivity of a forest, each permutation fitted again."""
    rng, values = np.random.default_rng(seed), []
    for k in range(1 + refits):
        labels = y if k == 0 else rng.permutation(y)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            oob = TreeRankForest(random_state=seed).fit(X, labels).oob_decision_function_
        seen = ~np.isnan(oob)
        values.append(tpr_at_fpr(labels[seen], oob[seen], 0.02))
    return np.mean(np.array(values) >= values[0])


def by_best_column(X, y, seed, permutations=SHUFFLES):
    """P of the largest |AUC - 1/2| of a column, labels permuted, all rows."""
    rng = np.random.default_rng(seed)
    ranks = np.argsort(np.argsort(X, axis=0), axis=0) - (len(y) - 1) / 2
    labels = np.array([y] + [rng.permutation(y) for _ in range(permutations)])
    best = np.abs(labels @ ranks).max(1)
    return np.mean(best >= best[0])


def line():
    return make_pipeline(StandardScaler(), LogisticRegression(C=0.01))


class HonestTrees(ClassifierMixin, BaseEstimator):
    """Extra trees: half of the rows choose the cuts, another half for each tree, the others say each leaf's share of positives."""

    def __init__(self, n_estimators=100, random_state=None):
        self.n_estimators, self.random_state = n_estimators, random_state

    def fit(self, X, y):
        self.classes_, y = np.unique(y, return_inverse=True)
        rng, self.trees_ = np.random.default_rng(self.random_state), []
        for seed in rng.integers(2**31, size=self.n_estimators):
            cut, count, known, labels = train_test_split(
                X, y, test_size=0.5, stratify=y, random_state=int(seed)
            )
            tree = ExtraTreeClassifier(max_features="sqrt", random_state=int(seed)).fit(cut, known)
            leaf = tree.apply(count)
            rows, ones = (np.bincount(leaf, w, tree.tree_.node_count) for w in (None, labels))
            self.trees_.append((tree, np.where(rows > 0, ones / np.maximum(rows, 1), y.mean())))
        return self

    def decision_function(self, X):
        return np.mean([share[tree.apply(X)] for tree, share in self.trees_], axis=0)


def p_of(law, seed):
    X, y = law(np.random.default_rng(seed))
    return signal_test(X, y, n_resamples=SHUFFLES, random_state=seed).pvalue


def all_of(n, strength, seed):
    X, y = two_gaussians(np.random.default_rng(seed), n, strength)

    def ours(ranker):
        return signal_test(X, y, ranker=ranker, n_resamples=SHUFFLES, random_state=seed).pvalue

    trees = ours(ExtraTreesClassifier()), ours(HonestTrees())
    return ours(None), ours(line()), *trees, by_refits(X, y, seed), by_best_column(X, y, seed)


SPLIT = tuple(
    f"half and half, {ranker}" for ranker in ("forest", "line", "extra trees", "honest extra trees")
)
WAYS = *SPLIT, "out of bag, twenty fits", "best column"


def size(pool):
    """How often p is at most .01, .05 and .1 in tables of noise."""
    p = np.array(pool(delayed(p_of)(noise, seed) for seed in tqdm(range(TRIALS), desc="noise")))
    return {"noise": {str(a): float(np.mean(p <= a + 1e-9)) for a in (0.01, 0.05, 0.1)}}


def power(pool):
    """Rows: how often each way finds something."""
    rows = []
    for strength in STRENGTHS:
        for n in SIZES:
            trials = tqdm(range(POWER_TRIALS), desc=f"{n} rows")
            p = np.array(pool(delayed(all_of)(n, strength, seed) for seed in trials))
            found = dict(zip(WAYS, (p <= LEVEL + 1e-9).mean(0).tolist()))
            rows.append({"rows": n, "strength": strength, "trials": POWER_TRIALS, "found": found})
            print(rows[-1], flush=True)
    return rows


def run(*parts):
    """All, or only the parts named."""
    pool = Parallel(n_jobs=1)
    made = {"trials": TRIALS, "shuffles": SHUFFLES, "confidence_level": LEVEL}
    of = {"size": size, "given": rejections_given, "power": power}
    for part in parts or of:
        made[part] = of[part](pool)
    made["given_shuffles"] = GIVEN_SHUFFLES
    store("signal", made, seeds=[f"0 to {TRIALS - 1}"], keep=bool(parts))
