"""compare on columns of texts: sparse rows of the whole vocabulary, or dense rows of some words."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from aucbook import AdditiveRanker, PartialAUCSVM, compare, load_decision
from aucbook.deployment import shap_explanation, to_onnx
from aucbook.model_selection import CompareOptions


def abstracts(n=300):
    """Texts of 500 words, some of them frequent in positives, beside a number and a category."""
    rng = np.random.default_rng(5)
    y = np.arange(n) % 2
    words = np.array([f"word{i}" for i in range(500)])
    frequent = rng.gamma(0.5, size=(2, 500)) + 0.1
    shares = frequent / frequent.sum(axis=1, keepdims=True)
    texts = [" ".join(rng.choice(words, 30, p=shares[label])) for label in y]
    texts[3] = None
    age = np.where(rng.random(n) < 0.1, np.nan, rng.normal(50, 10, n))
    frame = pd.DataFrame({"abstract": texts, "age": age, "site": rng.choice(["a", "b"], n)})
    return frame, y


class WritesIntoItsSparseRows(LogisticRegression):
    """Overwrites the rows that it is given."""

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        X.data[:] = 0
        return self


def test_rankers_of_sparse_rows_get_the_whole_vocabulary_and_others_some_words():
    frame, y = abstracts()
    rankers = {
        "line": make_pipeline(StandardScaler(), LogisticRegression()),
        "searched": GridSearchCV(
            make_pipeline(StandardScaler(), LogisticRegression()),
            {"logisticregression__C": [1.0]},
            cv=2,
        ),
        "svm": PartialAUCSVM(max_fpr=0.5),
        "bayes": GaussianNB(),
        "curves": AdditiveRanker(n_bags=1),
    }
    result = compare(frame, y, rankers, cv=2, options=CompareOptions(max_words=20))
    assert not result.failures
    encoders = {name: ranker[0] for name, ranker in result.rankers.items()}
    is_sparse = {name: encoder.sparse for name, encoder in encoders.items()}
    assert is_sparse == {
        "line": True,
        "searched": True,
        "svm": True,
        "bayes": False,
        "curves": False,
    }
    assert encoders["line"].max_words == 50_000 and encoders["bayes"].max_words == 20
    (text,) = (row for row in result.columns if row["kind"] == "text")
    assert text["becomes"] == (
        "TF-IDF: all words of at least 2 training rows (at most 50000, sparse) for line, searched, "
        "svm; the 20 words that differ most between the classes for bayes, curves"
    )
    np.testing.assert_array_equal(result.scores["line"], result.scores["searched"])
    assert rankers["line"].steps[0][1] != "passthrough"  # the user's ranker stays as it is
    dense = compare(frame, y, rankers, cv=2, options=CompareOptions(max_vocabulary=None))
    assert not any(ranker[0].sparse for ranker in dense.rankers.values())


def test_sparse_texts_rank_as_a_pipeline_by_hand_and_better_than_a_few_words():
    frame, y = abstracts()
    result = compare(frame[["abstract"]], y, {"line": LogisticRegression()}, cv=3)
    by_hand = make_pipeline(TfidfVectorizer(min_df=2, sublinear_tf=True), LogisticRegression())
    texts = frame["abstract"].fillna("")
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    scores = cross_val_predict(by_hand, texts, y, cv=folds, method="decision_function")
    np.testing.assert_allclose(result.scores["line"], scores, atol=1e-6)
    options = CompareOptions(max_words=5, max_vocabulary=None)
    few = compare(frame[["abstract"]], y, {"line": LogisticRegression()}, cv=3, options=options)
    assert result.rows[0]["AUC"] > few.rows[0]["AUC"]


def test_the_sparse_rows_of_a_fold_are_shared():
    frame, y = abstracts()
    rankers = {
        "writes": WritesIntoItsSparseRows(),
        "line": LogisticRegression(),
        "forest": RandomForestClassifier(5, random_state=0),
    }
    together = compare(frame, y, rankers, cv=2)
    assert not together.failures and all(r[0].sparse for r in together.rankers.values())
    for name, ranker in rankers.items():
        alone = compare(frame, y, {name: ranker}, cv=2)
        np.testing.assert_array_equal(together.scores[name], alone.scores[name])


def test_a_decision_on_texts_is_kept_in_a_file_and_scores_new_rows(tmp_path):
    pytest.importorskip("skops")
    frame, y = abstracts()
    result = compare(frame, y, {"line": LogisticRegression()}, cv=3)
    decision = result.decide(frame, max_fpr=0.3)
    assert decision.model[0].sparse and len(decision.model[0].words_[0].vocabulary_) > 400
    new = frame.iloc[::7].assign(abstract=["an unseen story", None, *frame["abstract"][:41]])
    expected = decision.positive_scores(new)
    assert np.isfinite(expected).all()
    decision.save(tmp_path / "model.skops")
    loaded = load_decision(tmp_path / "model.skops")
    np.testing.assert_array_equal(loaded.positive_scores(new), expected)
    np.testing.assert_array_equal(
        pickle.loads(pickle.dumps(decision)).positive_scores(new), expected
    )
    with pytest.raises(ValueError, match="sparse rows of words"):
        to_onnx(decision)
    with pytest.raises(ValueError, match="sparse rows of words"):
        shap_explanation(decision, frame)
    assert any(name == "abstract" for name, *_ in decision.reasons(frame.iloc[:1]).votes)
