"""Figures 1, 2 and 4 and Table 7 of Paper 2 on three screening corpora. About five minutes of one core."""

import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict, train_test_split
from sklearn.pipeline import make_pipeline
from tqdm.auto import tqdm

from aucbook import PAVAdaBoost, PAVAdaBoostFinite, average_precision_11pt, load_dataset, roc_auc
from aucbook.isotonic import LinearAdaBoost
from aucbook.text import BinaryNaiveBayes, Cmass, Cmls, KNNRanker, Nscore, PoissonVectors

from .store import store

CORPORA = ["text_proton_beam", "text_synergy_jeyaraman2020", "text_nagtegaal_nudging"]
SEEDS = range(5)
ROUNDS = {"Cmass": 100, "Nscore": 2000, "naive Bayes": 30}


class OnRows(ClassifierMixin, BaseEstimator):
    """A weak learner on rows of one sparse matrix, for boosters whose X is a column of row numbers."""

    def __init__(self, matrix, learner):
        self.matrix, self.learner = matrix, learner

    def _rows(self, X):
        return self.matrix[X[:, 0].astype(int)]

    def fit(self, X, y, sample_weight=None):
        self.learner_ = self.learner.fit(self._rows(X), y, sample_weight)
        self.classes_ = self.learner_.classes_
        return self

    def decision_function(self, X):
        return self.learner_.decision_function(self._rows(X))


def split(bunch, seed):
    """Two thirds to learn from, as in Eq. 48; word counts; training abstracts without a known word are left out."""
    Ta, Tb, ya, yb = train_test_split(
        np.array(bunch.data, dtype=object),
        bunch.target,
        test_size=1 / 3,
        stratify=bunch.target,
        random_state=seed,
    )
    words = CountVectorizer(min_df=2, stop_words="english").fit(Ta)
    Xa, Xb = words.transform(Ta), words.transform(Tb)
    kept = np.diff(Xa.indptr) > 0
    return Ta[kept], Tb, Xa[kept], Xb, ya[kept], yb


def stages(stream, y, rounds):
    """11-point average precision after each round; once training has stopped, the last one again."""
    out = [average_precision_11pt(y, scores) for scores in stream]
    return out + out[-1:] * (rounds - len(out))


def boosted(booster, learner, Xa, Xb, ya, yb, rounds):
    M = PoissonVectors().fit(Xa).transform if isinstance(learner, Cmass) else lambda X: X
    both = OnRows(sp.vstack([M(Xa), M(Xb)], "csr"), learner)
    rows = np.arange(len(ya) + len(yb), dtype=float)[:, None]
    model = booster(both, n_estimators=rounds).fit(rows[: len(ya)], ya)
    error = model.history_["error"].tolist()
    return stages(model.staged_decision_function(rows[len(ya) :]), yb, rounds), error + error[
        -1:
    ] * (rounds - len(error))


def one_split(bunch, seed):
    Ta, Tb, Xa, Xb, ya, yb = split(bunch, seed)
    rankers = {
        "naive Bayes, cut at 1": BinaryNaiveBayes(cut=1.0),
        "Cmass": make_pipeline(PoissonVectors(), Cmass()),
        "KNN": KNNRanker(60),
        "Cmls": Cmls(0.001),
        "Nscore, PAV": Nscore(ROUNDS["Nscore"]),
    }
    scores = {name: r.fit(Xa, ya).decision_function(Xb) for name, r in rankers.items()}
    tfidf = make_pipeline(
        TfidfVectorizer(min_df=2, stop_words="english", sublinear_tf=True),
        LogisticRegression(class_weight="balanced", C=10.0),
    )
    scores["TF-IDF, logistic regression"] = tfidf.fit(Ta, ya).decision_function(Tb)
    members = {k: rankers[k] for k in ("naive Bayes, cut at 1", "KNN", "Cmls", "Nscore, PAV")}
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    held_out = np.column_stack(
        [
            cross_val_predict(r, Xa, ya, cv=folds, method="decision_function")
            for r in members.values()
        ]
    )
    final = PAVAdaBoostFinite(n_bins=255, prior=5.0, max_cycles=20).fit(held_out, ya)
    scores["four combined"] = final.decision_function(np.column_stack([scores[k] for k in members]))
    curves = {"Cmass": {}, "Nscore": {}, "naive Bayes": {}, "naive Bayes, training error": {}}

    def optimal(learner, **k):
        return LinearAdaBoost(learner, constant=True, **k)

    for link, booster in (("PAV", PAVAdaBoost), ("linear", LinearAdaBoost)):
        curves["Cmass"][link] = boosted(booster, Cmass(), Xa, Xb, ya, yb, ROUNDS["Cmass"])[0]
    for link, booster in (
        ("PAV", PAVAdaBoost),
        ("linear", LinearAdaBoost),
        ("optimal linear", optimal),
    ):
        curves["naive Bayes"][link], curves["naive Bayes, training error"][link] = boosted(
            booster, BinaryNaiveBayes(cut=1.0), Xa, Xb, ya, yb, ROUNDS["naive Bayes"]
        )
    curves["Nscore"]["PAV"] = stages(
        rankers["Nscore, PAV"].staged_decision_function(Xb), yb, ROUNDS["Nscore"]
    )
    for xlap in (0, 30, 100):
        model = Nscore(ROUNDS["Nscore"], link="linear", xlap=xlap).fit(Xa, ya)
        curves["Nscore"][f"linear, xlap {xlap}"] = stages(
            model.staged_decision_function(Xb), yb, ROUNDS["Nscore"]
        )
    table = {name: [average_precision_11pt(yb, s), roc_auc(yb, s)] for name, s in scores.items()}
    return Xa.shape[1], table, curves


def line_on_cmass(bunch):
    """What decides the slope of the linear link's first round on Cmass, on the training abstracts; means over the seeds."""
    found = []
    for seed in SEEDS:
        _, _, X, _, y, _ = split(bunch, seed)
        V = PoissonVectors().fit(X).transform(X)
        h = Cmass().fit(V, y).decision_function(V)
        votes = LinearAdaBoost(Cmass(), n_estimators=1).fit(V, y).decision_function(V)
        slope = votes @ h / (h @ h)  # the vote is slope times h
        found.append(
            [
                (y == 1).sum(),
                h[y == 1].sum(),
                (y == 0).sum(),
                (h[y == 0] > 0).sum(),
                h[y == 0].sum(),
                slope,
            ]
        )
    names = [
        "wanted",
        "sum of their scores",
        "unwanted",
        "above zero",
        "sum of all theirs",
        "slope",
    ]
    return {k: round(float(v), 5) for k, v in zip(names, np.mean(found, 0))}


def grid(rounds):
    """Rounds to keep: all of the first ten, then about twenty a decade."""
    return np.unique(
        np.r_[np.arange(1, min(rounds, 10) + 1), np.geomspace(10, rounds, 50).round().astype(int)]
    )


def run():
    out, inputs = {"rounds": ROUNDS, "corpora": {}}, {}
    for name in tqdm(CORPORA, desc="documents"):
        bunch = load_dataset(name)
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # test abstracts without a known word; cycles stopped on purpose
            words, tables, curves = zip(
                *(one_split(bunch, seed) for seed in tqdm(SEEDS, desc=name, leave=False))
            )

        def mean(values, digits=5):
            return [round(float(v), digits) for v in np.mean(values, axis=0)]

        out["corpora"][name] = {
            "documents": len(bunch.target),
            "relevant": int(bunch.target.sum()),
            "words": list(words),
            "line on Cmass": line_on_cmass(bunch),
            "table": {
                k: {
                    "ap11": mean([t[k][:1] for t in tables])[0],
                    "ap11_sd": round(float(np.std([t[k][0] for t in tables], ddof=1)), 5),
                    "ap11_splits": [round(float(t[k][0]), 5) for t in tables],
                    "auc": mean([t[k][1:] for t in tables])[0],
                }
                for k in tables[0]
            },
            "curves": {
                figure: {
                    "round": grid(len(next(iter(lines.values())))).tolist(),
                    **{
                        k: mean(
                            [np.array(c[figure][k])[grid(len(c[figure][k])) - 1] for c in curves]
                        )
                        for k in lines
                    },
                }
                for figure, lines in curves[0].items()
            },
        }
        inputs[name] = bunch.sha256
        store("documents", out, seeds=[SEEDS], inputs=inputs, finished=name == CORPORA[-1])
