"""score_sums, shapley: the form has the model's score, and Shapley values are those of the definition."""

import pickle
import subprocess
import sys
import warnings
from itertools import combinations
from math import factorial

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from aucbook import (
    AdditiveRanker,
    AUCBoost,
    MartiRank,
    PartialAUCSVM,
    PAVAdaBoost,
    PAVAdaBoostFinite,
    RankingEnsemble,
    TreeRank,
    TreeRankBoost,
    TreeRankForest,
    compare,
)
from aucbook.deployment import shap_explanation, shap_trees
from aucbook.deployment.score_sums import LinearSum, TreeSum, score_sum
from aucbook.isotonic import LinearAdaBoostFinite
from aucbook.pauc import AsymmetricSVM, GreedyPAUC, PAUCBoost
from aucbook.text import BinaryNaiveBayes, Cmass, Cmls

rng = np.random.default_rng(0)
X = np.column_stack([rng.normal(size=(240, 2)).round(1), rng.integers(0, 4, (240, 2))])
Y = (X[:, 0] + X[:, 1] * (X[:, 2] > 1) + rng.normal(size=240) > 0).astype(int)
HOLES = np.where(rng.random(X.shape) < 0.1, np.nan, X)
WITH_MISSING = {
    "tree": TreeRank(4),
    "tree without bins": TreeRank(3, n_bins=None),
    "posterior tree": TreeRank(4, leaf_score="posterior", shake=True),
    "forest": TreeRankForest(15, random_state=0),
    "forest, best splits": TreeRankForest(5, thresholds="best", smoothing=None, random_state=0),
    "boosted": TreeRankBoost(n_estimators=15, random_state=0),
    "pairwise": TreeRankBoost(n_estimators=4, update="pairwise"),
    "curves": AdditiveRanker(n_bags=2),
    "few bins": AdditiveRanker(n_bags=1, n_bins=3),
    "tables": AdditiveRanker(n_bags=2, interactions=3),
}
COMPLETE = {
    "rounds": AUCBoost(n_estimators=12),
    "balanced rounds": AUCBoost(n_estimators=12, answers="balanced"),
    "score curves": PAVAdaBoostFinite(tol=1e-3),
    "binned score curves": PAVAdaBoostFinite(n_bins=8, tol=1e-3),
    "SVM": PartialAUCSVM(max_fpr=0.3),
    "asymmetric SVM": AsymmetricSVM(max_fpr=0.5),
    "greedy": GreedyPAUC(max_fpr=0.5),
    "linear AdaBoost": LinearAdaBoostFinite(),
    "logistic": LogisticRegression(),
    "ridge": RidgeClassifier(),
    "SGD": SGDClassifier(random_state=0),
    "LinearSVC": LinearSVC(),
}
DOCUMENTS = {"naive Bayes": BinaryNaiveBayes(), "Cmass": Cmass(), "Cmls": Cmls()}


def fitted(name):
    """(fitted model, the rows that it was fitted to)."""
    model = {**WITH_MISSING, **COMPLETE, **DOCUMENTS}[name]
    rows = HOLES if name in WITH_MISSING else X
    if name in DOCUMENTS:
        rows = np.column_stack([rng.poisson(0.7, (240, 3)), np.ones(240)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(rows, Y), rows


def rows_at_thresholds(form, rows, n=300):
    """Rows of values, thresholds, and the numbers directly below them."""
    out = rows[rng.integers(0, len(rows), n)].copy()
    for j in range(rows.shape[1] if isinstance(form, TreeSum) else 0):
        edges = np.concatenate([tree.threshold[tree.column == j] for tree in form.trees])
        edges = edges[np.isfinite(edges)]
        if edges.size:
            drawn = rng.choice(np.r_[edges, np.nextafter(edges, -np.inf)], n)
            out[:, j] = np.where(rng.random(n) < 0.7, drawn, out[:, j])
    return out


@pytest.mark.parametrize("name", [*WITH_MISSING, *COMPLETE, *DOCUMENTS])
def test_the_form_has_the_score(name):
    model, rows = fitted(name)
    form = score_sum(model)
    tested = rows_at_thresholds(form, rows)
    scores = model.decision_function(tested)
    atol = 1e-12 * max(1.0, np.abs(scores).max())
    np.testing.assert_allclose(form.scores(tested), scores, rtol=0, atol=atol)


@pytest.mark.parametrize("name", ["tree", "forest", "forest, best splits"])
def test_equal_to_the_last_bit(name):
    model, rows = fitted(name)
    np.testing.assert_array_equal(score_sum(model).scores(rows), model.decision_function(rows))


def test_values_far_away():
    model, _ = fitted("curves")
    far = np.array([[-1e300, 1e300, 0, 9], [np.nan] * 4])
    np.testing.assert_allclose(score_sum(model).scores(far), model.decision_function(far))


@pytest.mark.parametrize(
    "model, reason",
    [
        (MartiRank(), "neither a weighted sum of columns nor a sum over trees"),
        (PAVAdaBoost(n_estimators=3), "neither a weighted sum"),
        (PAUCBoost(n_estimators=2), "neither a weighted sum"),
        (RandomForestClassifier(2, random_state=0), "neither a weighted sum"),
        (AUCBoost(n_estimators=3, answers="coin", random_state=0), "hash of the row"),
        (AUCBoost(n_estimators=3, ranking="vote"), "sign of the sum"),
        (AUCBoost(LogisticRegression(), n_estimators=2), "not single columns"),
        (TreeRank(2, splitter="linear"), "splits by several columns"),
        (TreeRank(2, splitter="leafrank"), "splits by several columns"),
        (TreeRankBoost(n_estimators=2, update="literal"), "training negatives"),
    ],
)
def test_refused_with_the_reason(model, reason):
    model.fit(X, Y)
    for function in (score_sum, lambda m: shap_explanation(m, X)):
        with pytest.raises(ValueError, match=reason):
            function(model)


def test_other_things_are_refused():
    pipeline = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, Y)
    with pytest.raises(ValueError, match="give its last step"):
        score_sum(pipeline)
    with pytest.raises(TypeError, match="model must be a fitted ranker, got str"):
        score_sum("forest")
    with pytest.raises(ValueError, match="not fitted"):
        score_sum(TreeRank())
    three = LogisticRegression().fit(X, np.arange(240) % 3)
    with pytest.raises(ValueError, match="3 classes, not two"):
        score_sum(three)
    decision = compare(X, Y, {"curves": AdditiveRanker(n_bags=1)}, cv=2).decide(X, max_fpr=0.5)
    with pytest.raises(ValueError, match="a decision encodes its table"):
        score_sum(decision)


# ---------------------------------------------------------------- Shapley values
def shapley_reference(score, row, background):
    """Shapley values (d,) by all sets of columns."""
    d = row.size

    def coalition_value(columns):
        replaced = background.copy()
        replaced[:, list(columns)] = row[list(columns)]
        return score(replaced).mean()

    values = np.zeros(d)
    for j in range(d):
        others = [k for k in range(d) if k != j]
        for size in range(d):
            weight = factorial(size) * factorial(d - size - 1) / factorial(d)
            for columns in combinations(others, size):
                values[j] += weight * (coalition_value((*columns, j)) - coalition_value(columns))
    return values


@pytest.mark.parametrize("name", [*WITH_MISSING, *COMPLETE, *DOCUMENTS])
def test_shapley_values_are_those_of_the_definition(name):
    pytest.importorskip("shap")
    model, rows = fitted(name)
    tested = rows_at_thresholds(score_sum(model), rows, n=8)
    background = rows[50:75]
    explanation = shap_explanation(model, tested, background)
    expected = [shapley_reference(model.decision_function, row, background) for row in tested]
    scale = max(1.0, np.abs(model.decision_function(rows)).max())
    np.testing.assert_allclose(explanation.values, expected, rtol=0, atol=1e-9 * scale)
    total = explanation.base_values + explanation.values.sum(1)
    np.testing.assert_allclose(total, model.decision_function(tested), atol=1e-9 * scale)


@pytest.mark.kernel
def test_shapley_values_of_a_small_tree():
    pytest.importorskip("shap")
    model = TreeRank(3).fit(HOLES[:60], Y[:60])
    tested = HOLES[60:64]
    background = HOLES[20:25]
    values = shap_explanation(model, tested, background).values
    expected = [shapley_reference(model.decision_function, row, background) for row in tested]
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-9)


def test_columns_without_influence_get_nothing_and_equal_columns_the_same():
    pytest.importorskip("shap")
    twice = np.column_stack([X[:, 0], X[:, 0], rng.normal(size=240)])
    model = LogisticRegression().fit(twice, Y)
    model.coef_[0, 2] = 0.0
    values = shap_explanation(model, twice[:20], twice).values
    assert not values[:, 2].any()
    np.testing.assert_allclose(values[:, 0], values[:, 1], rtol=1e-3)


def test_backgrounds():
    pytest.importorskip("shap")
    model, rows = fitted("tree")
    by_default = shap_explanation(model, rows)
    spread = rows[np.linspace(0, 239, 100).astype(int)]
    np.testing.assert_allclose(by_default.values, shap_explanation(model, rows, spread).values)
    all_rows = shap_explanation(model, rows[:3], rows, max_background=1000)
    assert all_rows.base_values == pytest.approx(model.decision_function(rows).mean())
    alone = shap_explanation(model, rows[:1])
    assert not alone.values.any() and alone.base_values == model.decision_function(rows[:1])
    with pytest.raises(ValueError, match="max_background"):
        shap_explanation(model, rows, max_background=0)


def test_many_columns():
    """Deep trees of many columns: values add up to the score."""
    pytest.importorskip("shap")
    rows, labels = make_classification(300, 40, n_informative=20, random_state=0)
    model = TreeRankForest(10, random_state=0).fit(rows, labels)
    explanation = shap_explanation(model, rows[:20], rows)
    total = explanation.base_values + explanation.values.sum(1)
    np.testing.assert_allclose(total, model.decision_function(rows[:20]), atol=1e-12)


def test_names_frames_and_sparse_tables():
    pytest.importorskip("shap")
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    frame["c"] = frame["c"].astype("Int64")
    model = AdditiveRanker(n_bags=1).fit(frame, Y)
    explanation = shap_explanation(model, frame[:9])
    assert explanation.feature_names == ["a", "b", "c", "d"]
    other = shap_explanation(model, frame[:9], feature_names=list("wxyz"))
    assert other.feature_names == ["w", "x", "y", "z"]
    with pytest.raises(ValueError, match="feature_names has 1 names for 4 columns"):
        shap_explanation(model, frame, feature_names=["a"])
    with pytest.raises(ValueError):
        shap_explanation(model, frame[["a", "b"]])
    sparse = csr_matrix(X)
    model = AdditiveRanker(n_bags=1).fit(sparse, Y)
    np.testing.assert_array_equal(
        shap_explanation(model, sparse[:9]).values, shap_explanation(model, X[:9]).values
    )


def test_the_explanation_is_shap_s():
    shap = pytest.importorskip("shap")
    model, rows = fitted("curves")
    explanation = shap_explanation(model, rows[:5])
    assert isinstance(explanation, shap.Explanation)
    assert explanation.values.shape == explanation.data.shape == (5, 4)
    assert explanation[0].values.shape == (4,)
    again = pickle.loads(pickle.dumps(explanation))
    np.testing.assert_array_equal(again.values, explanation.values)


@pytest.mark.parametrize("name", ["tree", "forest", "boosted", "pairwise"])
def test_trees_for_shap(name):
    shap = pytest.importorskip("shap")
    model = WITH_MISSING[name].fit(X, Y)
    explainer = shap.TreeExplainer(
        shap_trees(model), data=X[50:75], feature_perturbation="interventional"
    )
    values = explainer.shap_values(X[:10] + 0.013, check_additivity=False)  # not at thresholds
    exact = shap_explanation(model, X[:10] + 0.013, X[50:75])
    np.testing.assert_allclose(values, exact.values, atol=1e-4)
    np.testing.assert_allclose(explainer.expected_value, exact.base_values[0], atol=1e-6)
    along_paths = shap.TreeExplainer(shap_trees(model)).shap_values(X[:10] + 0.013)
    assert along_paths.shape == (10, 4)


def test_curves_are_no_trees_for_shap():
    with pytest.raises(ValueError, match="AdditiveRanker has no trees"):
        shap_trees(fitted("curves")[0])


def test_shap_is_named_where_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "shap", None)
    model, rows = fitted("tree")
    with pytest.raises(ImportError, match=r"pip install 'aucbook\[shap\]'"):
        shap_explanation(model, rows)
    assert shap_trees(model)["trees"]  # needs no shap


def test_shap_is_imported_when_it_is_used():
    code = "import sys, aucbook.deployment.shapley; print('shap' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_linear_forms():
    model, _ = fitted("logistic")
    form = score_sum(model)
    assert isinstance(form, LinearSum) and form.coef.shape == (4,) and not form.of_present
    assert score_sum(fitted("naive Bayes")[0]).of_present
    with pytest.raises(ValueError, match="neither a weighted sum"):
        score_sum(RankingEnsemble({"a": LogisticRegression()}, cv=2).fit(X, Y))
