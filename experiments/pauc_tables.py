"""The protocols of Paper 3's Tables 2 to 5 and Figure 4 on stand-in data: every single value, so that the page computes means and tests.

Parts: table2, table3, table4, table5 and figure4, each a few minutes of one core.
"""

import time
import warnings
from unittest.mock import patch

import numpy as np
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.preprocessing import StandardScaler
from tqdm.auto import tqdm

from aucbook import PartialAUCSVM, load_dataset, partial_auc
from aucbook.pauc import (
    AsymmetricSVM,
    GreedyPAUC,
    PAUCBoost,
    cutting_planes,
    most_violated_ordering,
)

from .shared import scores
from .store import store

PACKAGES = ("lightgbm",)
COSTS = (0.01, 0.1, 1, 10, 100)
SPLITS = 10  # as in the paper; seed k makes split k


def rivals(alpha, beta):
    """Name -> candidates, of which the held-out partial AUC chooses one."""
    from lightgbm import LGBMClassifier

    def svm(a, b):
        return [
            PartialAUCSVM(min_fpr=a, max_fpr=b, C=c, tol=0.01) for c in COSTS
        ]  # the risk is known to .01

    return {
        "SVM_pAUC": svm(alpha, beta),
        "SVM_pAUC, wider": svm(alpha, beta) + svm(0, 0.3) + svm(0, 1),
        "SVM_AUC": svm(0, 1),
        "ASVM": [AsymmetricSVM(max_fpr=b, tau=t, tol=0.01) for b in (beta, 0.5) for t in (0.5, 1)],
        "pAUCBoost": [
            PAUCBoost(min_fpr=alpha, max_fpr=beta, penalty=p, n_estimators=30) for p in (0.1, 0.01)
        ],
        "greedy": [GreedyPAUC(min_fpr=alpha, max_fpr=beta, max_columns=10)],
        "logistic": [LogisticRegression(C=c, max_iter=2000) for c in COSTS],
        "LightGBM": [LGBMClassifier(n_jobs=1, random_state=0, verbose=-1)],
    }


def chosen(candidates, X, y, train, folds, alpha, beta, known):
    """The candidate with the best mean partial AUC over the (fit, judge) pairs, trained on `train`; `known`: means found before."""
    for model in candidates if len(candidates) > 1 else ():
        if str(model) not in known:
            known[str(model)] = np.mean(
                [
                    partial_auc(
                        y[b],
                        scores(clone(model).fit(X[a], y[a]), X[b]),
                        min_fpr=alpha,
                        max_fpr=beta,
                    )
                    for a, b in folds
                ]
            )
    best = max(candidates, key=lambda model: known.get(str(model), 0))  # the first of equals
    return clone(best).fit(X[train], y[train])


def split(y, seed, train, valid=0.0):
    """Random train, validation and test rows with the class shares of y; the shares of the first two are given."""
    rows, test = train_test_split(
        np.arange(y.size), train_size=train + valid, stratify=y, random_state=seed
    )
    if not valid:
        return rows, rows[:0], test
    rows, judge = train_test_split(
        rows, train_size=train / (train + valid), stratify=y[rows], random_state=seed
    )
    return rows, judge, test


def table(sets, methods, shares, tuned, tested, prepare=None):
    """One result per set: its size, and values[range][method] = one partial AUC for each split."""
    out = {}
    for name, (X, y) in sets.items():
        values = {key: {method: [] for method in methods} for key in tested(1)}
        for seed in tqdm(range(SPLITS), desc=name):
            train, valid, test = split(y, seed, *shares)
            folds = (
                [(train, valid)]
                if valid.size
                else [
                    (train[a], train[b])
                    for a, b in StratifiedKFold(3, shuffle=True, random_state=seed).split(
                        train, y[train]
                    )
                ]
            )
            Z = prepare(X, train) if prepare else X
            known, ranges = {}, tested(np.count_nonzero(y[test] == 0))
            for method, candidates in methods.items():
                s = scores(chosen(candidates, Z, y, train, folds, *tuned, known), Z[test])
                for key, (alpha, beta) in ranges.items():
                    values[key][method].append(
                        round(partial_auc(y[test], s, min_fpr=alpha, max_fpr=beta), 6)
                    )
            tqdm.write(
                f"{name} {seed} { {m: v[-1] for m, v in next(iter(values.values())).items()} }"
            )
        out[name] = {
            "n": int(y.size),
            "d": int(Z.shape[1]),
            "positives": int(y.sum()),
            "seeds": list(range(SPLITS)),
            "values": values,
        }
    return out


def dense(name):
    b = load_dataset(name)
    return (b.data.toarray() if hasattr(b.data, "toarray") else b.data).astype(float), b.target


def scaled(X, train):
    return StandardScaler().fit(X[train]).transform(X)


def table2():
    b, top = load_dataset("jgstyle_fp2"), (0, 0.1)
    X = b.data.toarray().astype(float)
    sets = {f"jgstyle_fp2, target {j + 1}": (X, np.asarray(b.Y[:, j], int)) for j in range(3)}
    return table(
        {**sets, "dud_cdk2_fp2": dense("dud_cdk2_fp2")},
        rivals(*top),
        (0.1,),
        top,
        lambda n: {"0 to .1": top},
    )


def table3():
    top = (0, 0.1)
    methods = {
        k: v
        for k, v in rivals(*top).items()
        if k in ("SVM_pAUC", "SVM_pAUC, wider", "SVM_AUC", "logistic")
    }

    def tested(n):
        return {
            "0 to 1/n": (0, 1 / n),
            "0 to 5/n": (0, min(5 / n, 1)),
            "0 to .1": top,
            "0 to 1": (0, 1),
        }

    w8a, text = load_dataset("w8a"), load_dataset("text_proton_beam")

    def words(texts, train):
        return TfidfVectorizer(min_df=3, sublinear_tf=True).fit(texts[train]).transform(texts)

    return {
        **table(
            {"text_proton_beam": (np.array(text.data, object), text.target)},
            methods,
            (0.6, 0.2),
            top,
            tested,
            words,
        ),
        **table(
            {"w8a": (w8a.data.tocsr().astype(float), w8a.target)}, methods, (0.6, 0.2), top, tested
        ),
    }


def table4():
    top = (0, 0.1)

    def tested(n):
        return {"0 to .1": top}

    return {
        **table({"letter_A": dense("letter_A")}, rivals(*top), (0.01, 0.09), top, tested, scaled),
        **table({"w8a": dense("w8a")}, rivals(*top), (0.01, 0.09), top, tested),
        **table4_standardised(),
    }


def table4_standardised():
    """The web pages once more, every bit standardised on the training rows: does the preparation decide?"""
    top = (0, 0.1)
    methods = {
        k: v
        for k, v in rivals(*top).items()
        if k in ("SVM_pAUC", "SVM_pAUC, wider", "SVM_AUC", "logistic")
    }
    return table(
        {"w8a, standardised": dense("w8a")},
        methods,
        (0.01, 0.09),
        top,
        lambda n: {"0 to .1": top},
        scaled,
    )


def table5():
    s = 6848 / 101671
    middle = (0.2 * s, 0.3 * s)
    methods = {k: v for k, v in rivals(*middle).items() if k != "ASVM"}
    return table(
        {"mammography": dense("mammography")},
        methods,
        (0.05,),
        middle,
        lambda n: {".2s to .3s": middle},
        scaled,
    )


def timed_fit(model, X, y):
    """(planes, mean CPU seconds of a search for the most violated ordering): over all calls of one fit, each at its own w."""
    seconds, search = [], cutting_planes.most_violated_plane

    def timed(*args, **options):
        start = time.thread_time()
        found = search(*args, **options)
        seconds.append(time.thread_time() - start)
        return found

    with patch.object(cutting_planes, "most_violated_plane", timed):
        planes = model.fit(X, y).n_iter_
    return planes, float(np.mean(seconds))


def figure4():
    """By beta, C = 10: searches for the most violated ordering, one for each plane, and their mean time in a fit, relative to beta = 1.

    "time per call" is the paper's figure: CPU time, the mean over all calls of a fit (the median of eleven equal fits: the
    machine has other work), one ratio for each split. "time ratio" is the median time of `most_violated_ordering` at one w.
    """
    b, betas = load_dataset("w8a"), (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
    X = b.data.tocsr().astype(float)
    y = b.target
    times = {beta: [] for beta in betas}
    seeds = list(range(3))

    def machine(beta):
        return PartialAUCSVM(max_fpr=beta, C=10.0, tol=0.01)

    calls, means = {beta: [] for beta in betas}, {beta: [] for beta in betas}
    for seed in tqdm(seeds, desc="w8a, split"):
        train = split(y, seed, 0.6)[0]
        whole, fits = (
            machine(1.0).fit(X[train], y[train]),
            {beta: [] for beta in betas},
        )  # which also compiles
        for _ in range(11):  # in turns, so that a slow moment hits all
            for beta in betas:
                fits[beta].append(timed_fit(machine(beta), X[train], y[train]))
        for beta in betas:
            planes, seconds = zip(*fits[beta])
            calls[beta].append(planes[0])
            means[beta].append(np.median(seconds))
    s = X[train] @ whole.coef_[0]
    s, t = s[y[train] == 1], s[y[train] == 0]
    for _ in range(101):
        for beta in betas:
            start = time.perf_counter()
            most_violated_ordering(s, t, max_fpr=beta)
            times[beta].append(time.perf_counter() - start)
    one = np.median(times[1.0])
    return {
        "w8a": {
            "n": int(train.size),
            "seeds": seeds,
            "max_fpr": list(betas),
            "calls": [calls[beta] for beta in betas],
            "time per call": np.divide([means[beta] for beta in betas], means[1.0])
            .round(2)
            .tolist(),
            "time ratio": [round(float(np.median(times[k]) / one), 2) for k in betas],
        }
    }


def run(*names):
    """All parts, or only those named."""
    parts = {f.__name__: f for f in (table2, table3, table4, table5, figure4)}
    for name in names or parts:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # hopeless candidates warn, and lose
            sets = parts[name]()
        inputs = {
            known: load_dataset(known).sha256
            for known in dict.fromkeys(key.split(",")[0] for key in sets)
        }
        store(
            "pauc_tables",
            {name: {"sets": sets}},
            seeds=[range(SPLITS)],
            inputs=inputs,
            packages=PACKAGES,
            keep=True,
        )
