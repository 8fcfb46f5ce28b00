"""Screening of abstracts: what `compare` chooses with the whole vocabulary, with some words, and by five lines of scikit-learn. Some minutes.

Protocol, stated before the first run of this file:

- Corpora: abstracts of two systematic reviews, with few relevant ones. (Planned with a third, text_proton_beam; left out for lack of time,
  before any result of it was seen. One trial of this file had shown the first split of the first corpus: after it the dense words were
  chosen by the difference of class means in place of chi-squared.) Two stratified splits each, a third held out; seeds that no
  earlier trial of settings has used.
- Rankers: those of RANKERS, as `default_rankers` makes them for the range of false positive rates up to .1: strong, quick ones.
- Ways: "vocabulary", as `compare` comes; "differing words" (max_vocabulary=None: the 100 words that differ most between the classes);
  "frequent words" (the 100 most frequent words: `compare` before). The comparison of a way has FOLDS folds of the training rows; average
  precision comes first; the choice is that of `Comparison.choose`, fitted to all training rows.
- The practitioner: TfidfVectorizer and balanced logistic regression as they come.
- Measures on the held-out rows: average precision (AP) and pAUC(0, .1). Each way is tested against the practitioner by the paired test of
  AP. A way is "no worse within error" if the interval of its difference includes 0 or lies above.
- Processor seconds of the comparison of a way, and of the practitioner's fit.
"""

import time
import warnings

import numpy as np
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from tqdm.auto import tqdm

from aucbook import AP, compare, default_rankers, load_dataset, partial_auc
from aucbook._base.ranker import fitted_scores
from aucbook.model_selection import CompareOptions
from aucbook.tables import TableEncoder

from .store import store

CORPORA = ["text_synergy_jeyaraman2020", "text_nagtegaal_nudging"]
SEEDS = (2, 3)
PACKAGES = ("lightgbm",)
FOLDS = 3
MAX_FPR = 0.1
RANKERS = ("logistic regression", "pAUC SVM", "LightGBM")


class FrequentWords(TableEncoder):
    """The encoder without labels, which keeps the most frequent words."""

    def fit(self, X, y=None):
        return super().fit(X)


WAYS = {
    "vocabulary": CompareOptions(),
    "differing words": CompareOptions(max_vocabulary=None),
    "frequent words": CompareOptions(encode=FrequentWords(kinds={"0": "text"})),
}


def judged(y, scores):
    """AP and pAUC of held-out scores."""
    return {"ap": float(AP(y, scores)), "pauc": float(partial_auc(y, scores, max_fpr=MAX_FPR))}


def practitioner(train, test, y, y_test):
    """(AP, pAUC and seconds, held-out scores) of five lines of scikit-learn."""
    ranker = LogisticRegression(class_weight="balanced", max_iter=1000)
    start = time.process_time()
    model = make_pipeline(TfidfVectorizer(), ranker).fit(train, y)
    seconds = time.process_time() - start
    scores = model.decision_function(test)
    return judged(y_test, scores) | {"seconds": seconds}, scores


def one_way(options, rows, labels, rival):
    """Choice of a way, its AP and pAUC, seconds, and difference in AP from the rival's scores."""
    X, X_test = rows
    y, y_test = labels
    rankers = default_rankers(max_fpr=MAX_FPR)
    rankers = {name: rankers[name] for name in RANKERS if name in rankers}
    start = time.process_time()
    result = compare(
        X, y, rankers, cv=FOLDS, max_fpr=MAX_FPR, measures=[AP, "auc"], options=options
    )
    seconds = time.process_time() - start
    choice = result.choose().ranker
    scores = fitted_scores(clone(result.rankers[choice]).fit(X, y), X_test)
    test = AP.test(y_test, scores, rival, random_state=0)
    return judged(y_test, scores) | {
        "choice": choice,
        "best": result.rows[0]["ranker"],
        "folds": {row["ranker"]: float(row[AP.label]) for row in result.rows},
        "failures": result.failures,
        "seconds": seconds,
        "difference": [float(test.difference), float(test.low), float(test.high)],
    }


def one_split(bunch, seed):
    """Results of all ways and of the practitioner on one split."""
    texts = np.array(bunch.data, dtype=object)
    train, test, y, y_test = train_test_split(
        texts, bunch.target, test_size=1 / 3, stratify=bunch.target, random_state=seed
    )
    of_practitioner, rival = practitioner(train, test, y, y_test)
    out = {"rows": int(y.size), "positives": int(y_test.sum()), "practitioner": of_practitioner}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, options in WAYS.items():
            rows = (train[:, None], test[:, None])
            out[name] = one_way(options, rows, (y, y_test), rival)
    return out


def run():
    bunches = {name: load_dataset(name) for name in CORPORA}
    corpora = {
        name: [one_split(bunch, seed) for seed in SEEDS] for name, bunch in tqdm(bunches.items())
    }
    inputs = {name: bunch.sha256 for name, bunch in bunches.items()}
    store("abstracts", {"corpora": corpora}, seeds=SEEDS, inputs=inputs, packages=PACKAGES)
