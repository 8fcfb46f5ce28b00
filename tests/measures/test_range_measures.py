"""Areas bounded in both rates; a range as scorer and as metric of boosters."""

import pickle
from itertools import product

import numpy as np
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from aucbook import (
    AUC,
    PAUC,
    AUCBoost,
    Brier,
    TwoWay,
    auc_interval,
    partial_auc,
    roc_auc,
    two_way_auc,
)
from aucbook.pauc import pauc_objective
from aucbook.pauc.objectives import pair_slopes, range_share

cases = st.integers(0, 10**6).map(np.random.default_rng)
rates = st.floats(0, 1)
gently = settings(max_examples=150, deadline=None)


def draw(rng, levels=10**6):
    y = np.r_[0, 1, rng.integers(0, 2, 30)]
    return y, (rng.integers(0, levels, 32) + np.round(levels / 4) * y).astype(float)


def brute(y, s, w, max_fpr, min_tpr):
    """Raw area, cut at every corner, every crossing of the height and the bound."""
    P, Q = w * (y == 1), w * (y == 0)
    cuts = np.unique(s)[::-1]
    corner = [(0.0, 0.0)] + [(Q[s >= c].sum() / Q.sum(), P[s >= c].sum() / P.sum()) for c in cuts]
    total = 0.0
    for (x0, t0), (x1, t1) in zip(corner, corner[1:]):
        if x1 > x0:

            def line(x, x0=x0, t0=t0, x1=x1, t1=t1):
                return t0 + (t1 - t0) * (x - x0) / (x1 - x0)

            stops = {x0, min(x1, max(x0, max_fpr)), x1}
            if t1 > t0:
                stops.add(min(max(x0 + (min_tpr - t0) * (x1 - x0) / (t1 - t0), x0), x1))
            stops = sorted(stops)
            for a, b in zip(stops, stops[1:]):
                if (a + b) / 2 < max_fpr:
                    total += (b - a) * max(line((a + b) / 2) - min_tpr, 0)
    return total


# ---- the area


@gently
@given(cases, st.sampled_from([2, 4, 10, 10**6]), rates, rates, st.booleans())
@pytest.mark.kernel
def test_equals_brute_force(rng, levels, max_fpr, min_tpr, weighted):
    y, s = draw(rng, levels)
    w = rng.random(y.size) + 0.1 if weighted else np.ones(y.size)
    max_fpr, min_tpr = max(max_fpr, 1e-3), min(min_tpr, 0.999)
    want, options = brute(y, s, w, max_fpr, min_tpr), {"max_fpr": max_fpr, "min_tpr": min_tpr}
    got = two_way_auc(y, s, form="raw", sample_weight=w if weighted else None, **options)
    assert got == pytest.approx(want, abs=1e-12)
    # divided by as little as 1e-6: roundings of 1e-16 grow to 1e-10
    full = two_way_auc(y, s, sample_weight=w if weighted else None, **options)
    assert (
        full == pytest.approx(want / (max_fpr * (1 - min_tpr)), abs=1e-9)
        and -1e-12 <= full <= 1 + 1e-9
    )


@gently
@given(cases, st.integers(1, 10), st.integers(0, 9))
def test_equals_pairs_without_ties(rng, a, b):
    y = rng.permutation(np.r_[np.ones(10, int), np.zeros(20, int)])
    s = rng.permutation(30) + 0.5 * y + 8 * y
    pos = np.sort(s[y == 1])[::-1][b:]
    neg = np.sort(s[y == 0])[::-1][: 2 * a]
    got = two_way_auc(y, s, max_fpr=a / 10, min_tpr=b / 10)
    assert got == pytest.approx((pos[:, None] > neg).mean(), abs=1e-12)


@gently
@given(cases, st.sampled_from([3, 10**6]), st.floats(0.01, 0.99))
def test_a_range_of_true_positive_rates_is_a_range_of_the_other_class(rng, levels, t):
    y, s = draw(rng, levels)
    got = two_way_auc(y, s, min_tpr=t)
    assert got == pytest.approx(partial_auc(1 - y, -s, max_fpr=1 - t), abs=1e-12)
    assert got == pytest.approx(two_way_auc(np.tile(y, 2), np.tile(s, 2), min_tpr=t), abs=1e-12)


def test_interval_of_a_range_of_true_positive_rates():
    y, s = draw(np.random.default_rng(0))
    assert auc_interval(y, -s, max_fpr=0.3, pos_label=0).estimate == pytest.approx(
        two_way_auc(y, s, min_tpr=0.7), abs=1e-12
    )


@gently
@given(
    cases, st.sampled_from([3, 10**6]), st.floats(0.01, 1), st.sampled_from(["normalized", "raw"])
)
def test_without_a_least_tpr_it_is_the_partial_area(rng, levels, b, form):
    y, s = draw(rng, levels)
    assert two_way_auc(y, s, max_fpr=b, form=form) == partial_auc(y, s, max_fpr=b, form=form)
    nearly = two_way_auc(y, s, max_fpr=b, min_tpr=1e-12, form="raw")
    assert nearly == pytest.approx(partial_auc(y, s, max_fpr=b, form="raw"), abs=1e-11)


def test_extremes_and_chance():
    y, s = np.r_[np.ones(5, int), np.zeros(5, int)], np.arange(10.0)[::-1]
    assert (
        two_way_auc(y, s, max_fpr=0.2, min_tpr=0.9) == pytest.approx(1)
        and two_way_auc(y, -s, max_fpr=0.2, min_tpr=0.9) == 0
    )
    for a, b in product((0.1, 0.5, 0.8, 1), (0.2, 0.5, 0.7)):
        tied = two_way_auc(y, np.zeros(10), max_fpr=a, min_tpr=b, form="raw")
        assert tied == pytest.approx(max(a - b, 0) ** 2 / 2, abs=1e-15)
    assert two_way_auc(
        ["ill", "well"] * 3, range(6), min_tpr=0.5, pos_label="ill"
    ) == pytest.approx(1 / 9)


def test_large_samples_take_the_short_cut():
    """Only the rows up to max_fpr are sorted; with weights all of them."""
    rng = np.random.default_rng(0)
    y = (rng.random(60_000) < 0.2).astype(int)
    for digits in (1, 9):
        s = np.round(rng.normal(size=y.size) + y, digits)
        for a, b in product((0.01, 0.1, 0.6), (0.1, 0.5, 0.95)):
            one, two = (
                two_way_auc(y, s, max_fpr=a, min_tpr=b, sample_weight=w)
                for w in (None, np.ones(y.size))
            )
            assert one == pytest.approx(two, rel=1e-9, abs=1e-12)  # 60000 terms, a rounding each


@pytest.mark.parametrize(
    "options, message",
    [
        ({"max_fpr": 0}, r"max_fpr must be a number in \(0, 1\], got 0"),
        ({"max_fpr": 1.1}, "max_fpr"),
        ({"max_fpr": "a"}, "max_fpr"),
        ({"min_tpr": 1}, r"min_tpr must be a number in \[0, 1\), got 1"),
        ({"min_tpr": -0.1}, "min_tpr"),
        ({"min_tpr": float("nan")}, "min_tpr"),
        ({"min_tpr": 0.5, "form": "mcclish"}, "form must be 'normalized' or 'raw'"),
        ({"form": "mcclish"}, "form"),
        ({"min_tpr": 0.5, "sample_weight": [1]}, "sample_weight"),
        ({"min_tpr": 0.5, "pos_label": 7}, "pos_label"),
    ],
)
def test_bad_bounds(options, message):
    with pytest.raises(ValueError, match=message):
        two_way_auc([0, 1, 0, 1], [1, 2, 3, 4], **options)


# ---- scorers

X, Y = make_classification(400, 10, n_informative=4, weights=[0.7], flip_y=0.1, random_state=0)


@pytest.mark.parametrize(
    "model",
    [LogisticRegression(), DecisionTreeClassifier(max_depth=3), AUCBoost(n_estimators=5)],
    ids=lambda m: type(m).__name__,
)
def test_scorer_is_the_area_of_the_scores(model):
    model = clone(model).fit(X, Y)
    s = (
        model.decision_function(X)
        if hasattr(model, "decision_function")
        else model.predict_proba(X)[:, 1]
    )
    assert PAUC(min_fpr=0.1, max_fpr=0.4, form="raw").scorer()(model, X, Y) == partial_auc(
        Y, s, min_fpr=0.1, max_fpr=0.4, form="raw"
    )
    assert TwoWay(max_fpr=0.4, min_tpr=0.3).scorer()(model, X, Y) == two_way_auc(
        Y, s, max_fpr=0.4, min_tpr=0.3
    )
    assert AUC.scorer()(model, X, Y) == roc_auc(Y, s)
    back = pickle.loads(pickle.dumps(PAUC(max_fpr=0.2).scorer()))
    assert back(model, X, Y) == PAUC(max_fpr=0.2).scorer()(model, X, Y)
    if hasattr(model, "predict_proba"):
        p = model.predict_proba(X)[:, 1]
        assert Brier.scorer()(model, X, Y) == -Brier(Y, p) == pytest.approx(-np.mean((p - Y) ** 2))


def test_scorer_knows_the_positive_class():
    names = np.where(Y == 1, "ill", "well")  # the larger label is "well"
    model = LogisticRegression().fit(X, names)
    s = model.decision_function(X)
    assert PAUC(max_fpr=0.2).scorer()(model, X, names) == partial_auc(names, s, max_fpr=0.2)
    assert PAUC(max_fpr=0.2).scorer(pos_label="ill")(model, X, names) == partial_auc(
        names, -s, max_fpr=0.2, pos_label="ill"
    )
    forest = RandomForestClassifier(5, random_state=0).fit(X, names)
    p = forest.predict_proba(X)[:, 0]
    assert PAUC(max_fpr=0.2).scorer(pos_label="ill")(forest, X, names) == partial_auc(
        names, p, max_fpr=0.2, pos_label="ill"
    )


def test_scorer_in_searches():
    pipe = make_pipeline(StandardScaler(), LogisticRegression())
    for scorer in (PAUC(max_fpr=0.1).scorer(), TwoWay(max_fpr=0.3, min_tpr=0.2).scorer()):
        search = GridSearchCV(
            pipe, {"logisticregression__C": [1e-3, 1]}, scoring=scorer, cv=3, n_jobs=2
        ).fit(X, Y)
        assert search.best_score_ == search.cv_results_["mean_test_score"].max() > 0.1
        assert search.best_score_ == pytest.approx(
            cross_val_score(search.best_estimator_, X, Y, scoring=scorer, cv=3).mean()
        )
    several = GridSearchCV(
        pipe, {}, scoring={"auc": "roc_auc", "head": PAUC(max_fpr=0.1).scorer()}, refit="head", cv=3
    ).fit(X, Y)
    assert {"mean_test_auc", "mean_test_head"} <= set(several.cv_results_)
    booster = HistGradientBoostingClassifier(
        max_iter=300, early_stopping=True, scoring=PAUC(max_fpr=0.2).scorer(), random_state=0
    )
    assert booster.fit(X, Y).n_iter_ < 300


def test_scorer_takes_weights():
    w = np.random.default_rng(0).random(Y.size)
    model = LogisticRegression().fit(X, Y)
    want = partial_auc(Y, model.decision_function(X), max_fpr=0.1, sample_weight=w)
    scorer = PAUC(max_fpr=0.1).scorer()
    assert scorer(model, X, Y, sample_weight=w) == want != scorer(model, X, Y)
    with sklearn.config_context(enable_metadata_routing=True):
        model = LogisticRegression().set_fit_request(sample_weight=False)
        cut = {"cv": 3, "params": {"sample_weight": w}}
        plain = cross_val_score(model, X, Y, scoring=scorer, cv=3)
        routed = cross_val_score(
            model,
            X,
            Y,
            scoring=PAUC(max_fpr=0.1).scorer().set_score_request(sample_weight=True),
            **cut,
        )
    assert (routed != plain).all()


@pytest.mark.parametrize(
    "make, options, message",
    [
        (PAUC, {"min_fpr": 0.2, "max_fpr": 0.1}, "min_fpr < max_fpr"),
        (PAUC, {"max_fpr": "a"}, "min_fpr < max_fpr"),
        (PAUC, {"max_fpr": 0.3, "form": "odd"}, "form must be 'normalized', 'raw' or 'mcclish'"),
        (TwoWay, {"max_fpr": 0.3, "min_tpr": 1}, "min_tpr"),
        (TwoWay, {"max_fpr": 0}, "max_fpr"),
    ],
)
def test_bad_ranges(make, options, message):
    with pytest.raises(ValueError, match=message):
        make(**options)


# ---- metrics


class Data:
    """What LightGBM's Dataset and XGBoost's DMatrix have in common."""

    def __init__(self, y, w):
        self.y, self.w = y, w

    def get_label(self):
        return self.y

    def get_weight(self):
        return self.w


@pytest.mark.parametrize("min_tpr", [0, 0.25])
def test_each_library_is_answered_in_its_way(min_tpr):
    y, s = draw(np.random.default_rng(0))
    w = np.random.default_rng(1).random(y.size)
    name = "auc_twoway_0.4_0.25" if min_tpr else "auc_twoway_0.4_0"
    plain, weighted = (
        two_way_auc(y, s, max_fpr=0.4, min_tpr=min_tpr, sample_weight=v) for v in (None, w)
    )
    light, extreme, cat = map(
        TwoWay(max_fpr=0.4, min_tpr=min_tpr).booster_metric, ("lightgbm", "xgboost", "catboost")
    )
    assert light(y, s) == light(s, Data(y, None)) == (name, plain, True)
    assert light(y, s, w) == light(s, Data(y, w)) == (name, weighted, True)
    assert (
        extreme(y, s) == plain
        and extreme(y, s, sample_weight=w) == weighted
        and extreme.__name__ == name
    )
    assert extreme(s, Data(y, np.empty(0))) == (name, plain) and extreme(s, Data(y, w)) == (
        name,
        weighted,
    )
    assert cat.is_max_optimal() and cat.get_final_error(*cat.evaluate([s], y, None)) == plain
    assert cat.get_final_error(*cat.evaluate((s.tolist(),), y.tolist(), w.tolist())) == weighted
    for metric in (light, extreme):
        assert pickle.loads(pickle.dumps(metric))(y, s) == metric(y, s)
    assert pickle.loads(pickle.dumps(cat)).evaluate([s], y, None) == (plain, 1.0)


def test_bad_library_and_one_class():
    with pytest.raises(
        ValueError, match="library must be 'lightgbm', 'xgboost' or 'catboost', got 'sklearn'"
    ):
        AUC.booster_metric("sklearn")
    with pytest.raises(ValueError, match="two classes"):
        AUC.booster_metric()(np.ones(4), np.arange(4.0))


LEARN = make_classification(3000, 20, n_informative=4, weights=[0.8], flip_y=0.2, random_state=1)
HELD = slice(2000, None)


def best_round(history, rounds, patience=10):
    """The history ends `patience` rounds after its best, which is the round that the library names."""
    best = int(np.argmax(history))
    assert rounds == best and len(history) == best + 1 + patience < 400
    assert (
        max(history) > history[0]
    )  # it went up first: whoever minimized would have stopped at once
    return best


@pytest.mark.slow
@pytest.mark.filterwarnings(
    "ignore:The argument 'eval_set' is deprecated"
)  # of LightGBM 4.7, for names that 4.6 lacks
@pytest.mark.parametrize("min_tpr", [0, 0.2])
def test_lightgbm_stops(min_tpr):
    lightgbm = pytest.importorskip("lightgbm")
    (X, y), metric = LEARN, TwoWay(max_fpr=0.2, min_tpr=min_tpr).booster_metric()
    stop = [lightgbm.early_stopping(10, verbose=False)]
    model = lightgbm.LGBMClassifier(
        n_estimators=400, learning_rate=0.2, metric="None", n_jobs=1, verbose=-1
    )
    model.fit(X[:2000], y[:2000], eval_set=[(X[HELD], y[HELD])], eval_metric=metric, callbacks=stop)
    (history,) = model.evals_result_["valid_0"].values()
    best_round(history, model.best_iteration_ - 1)
    s = model.predict_proba(X[HELD], num_iteration=model.best_iteration_)[:, 1]
    assert max(history) == pytest.approx(
        two_way_auc(y[HELD], s, max_fpr=0.2, min_tpr=min_tpr), rel=1e-9
    )
    w, evaluations = np.random.default_rng(0).random(1000), {}
    data = lightgbm.Dataset(X[:2000], y[:2000])
    held = data.create_valid(X[HELD], y[HELD], weight=w)
    parameters = {
        "objective": "binary",
        "metric": "None",
        "learning_rate": 0.2,
        "num_threads": 1,
        "verbose": -1,
    }
    watch = [lightgbm.early_stopping(10, verbose=False), lightgbm.record_evaluation(evaluations)]
    booster = lightgbm.train(
        parameters, data, 400, valid_sets=[held], feval=metric, callbacks=watch
    )
    (history,) = evaluations["valid_0"].values()
    best_round(history, booster.best_iteration - 1)
    s = booster.predict(X[HELD], num_iteration=booster.best_iteration)
    want = two_way_auc(y[HELD], s, max_fpr=0.2, min_tpr=min_tpr, sample_weight=w)
    assert max(history) == pytest.approx(want, rel=1e-6)  # LightGBM keeps weights as float32


@pytest.mark.slow
@pytest.mark.parametrize("min_tpr", [0, 0.2])
def test_xgboost_stops(min_tpr):
    xgboost = pytest.importorskip("xgboost")
    (X, y), metric = LEARN, TwoWay(max_fpr=0.2, min_tpr=min_tpr).booster_metric("xgboost")
    model = xgboost.XGBClassifier(
        n_estimators=400, eval_metric=metric, early_stopping_rounds=10, n_jobs=1
    )
    model.fit(X[:2000], y[:2000], eval_set=[(X[HELD], y[HELD])], verbose=False)
    history = model.evals_result()["validation_0"][metric.__name__]
    best_round(history, model.best_iteration)
    s = model.predict_proba(X[HELD])[:, 1]  # of the best round
    # in the log it is printed with float32's digits
    assert max(history) == pytest.approx(
        two_way_auc(y[HELD], s, max_fpr=0.2, min_tpr=min_tpr), rel=1e-5
    )
    w, evaluations = np.random.default_rng(0).random(1000), {}
    data = xgboost.DMatrix(X[:2000], y[:2000])
    held = xgboost.DMatrix(X[HELD], y[HELD], weight=w)
    parameters = {"objective": "binary:logistic", "disable_default_eval_metric": True, "nthread": 1}
    booster = xgboost.train(
        parameters, data, 400, evals=[(held, "held")], custom_metric=metric, early_stopping_rounds=10,
        evals_result=evaluations, verbose_eval=False,
    )  # fmt: skip
    history = evaluations["held"][metric.__name__]
    best_round(history, booster.best_iteration)
    s = booster.predict(held, iteration_range=(0, booster.best_iteration + 1))
    want = two_way_auc(y[HELD], s, max_fpr=0.2, min_tpr=min_tpr, sample_weight=w)
    assert max(history) == pytest.approx(want, rel=1e-5)


# ---- the objective


def pairs_of_range(f, y, w, share):
    """The loss of the range's pairs, all of them in one table; share (k,) of the negatives is held."""
    v = w[y == 1] / w[y == 1].sum()
    return w.sum() / 2 * (v @ np.logaddexp(0, f[y == 0] - f[y == 1][:, None]) @ share)


@gently
@given(
    cases,
    st.sampled_from([3, 10**6]),
    st.floats(0, 0.4),
    st.floats(0.2, 1),
    st.booleans(),
    st.floats(0.1, 30),
)
@pytest.mark.kernel
def test_slopes_are_those_of_the_loss(rng, levels, min_fpr, width, weighted, spread):
    y, f = draw(rng, levels)
    f = spread * f / levels
    w = rng.random(y.size) + 0.1 if weighted else np.ones(y.size)
    max_fpr = min(min_fpr + max(width, 1.01 / np.sum(y == 0)), 1)
    if (max_fpr - min_fpr) * np.sum(y == 0) < 1:
        return
    slope, curvature = pauc_objective(min_fpr=min_fpr, max_fpr=max_fpr, train_max_fpr=max_fpr)(
        y, f, w
    )
    share = range_share(f[y == 0], w[y == 0], min_fpr, max_fpr)
    for i in range(0, y.size, 5):
        e = np.eye(y.size)[i] * 1e-3
        up, here, down = (pairs_of_range(f + d, y, w, share) for d in (e, 0, -e))
        assert slope[i] == pytest.approx((up - down) / 2e-3, abs=1e-5)
        assert curvature[i] == pytest.approx((up - 2 * here + down) / 1e-6, abs=1e-4)
    assert (
        abs(slope.sum()) < 1e-9 and (curvature >= 0).all()
    )  # a common shift of all scores changes nothing


@pytest.mark.parametrize("far", [5e3, 1e6, 1e17, 1e308])
def test_scores_far_out_do_not_blur_the_others(far):
    slope, curvature = pauc_objective(max_fpr=1)(
        np.array([0, 1, 0, 1]), np.array([0.0, 1.0, -far, far])
    )
    lost, half = 1 / (1 + np.e), np.r_[1, -1, 0, 0] / 2
    # four pairs of weight a quarter, half of all weight is 2; only the pair 0 and 1 is still undecided
    np.testing.assert_allclose(slope, half * lost, atol=1e-12)
    np.testing.assert_allclose(curvature, abs(half) * lost * (1 - lost), atol=1e-12)


def test_many_scores_over_a_wide_range():
    rng, width = np.random.default_rng(0), 2e4
    s, t = rng.random(2000) * width, rng.random(3000) * width
    s[:1000], t[:1000] = rng.normal(size=(2, 1000)) + width / 3
    v, u = rng.random(2000), rng.random(3000)
    won = 1 / (1 + np.exp(np.clip(t - s[:, None], -700, 700)))
    expected = (won - 1) @ u, (won * (1 - won)) @ u, v @ (1 - won), v @ (won * (1 - won))
    for ours, theirs, mass in zip(pair_slopes(s, t, v, u), expected, (u, u, v, v)):
        np.testing.assert_allclose(ours, theirs, atol=1e-11 * mass.sum())


@pytest.mark.kernel
def test_objective_answers_both_ways_pickles_and_forgets_weightless_rows():
    y, f = draw(np.random.default_rng(0))
    w = np.random.default_rng(1).integers(0, 3, y.size) + 0.0
    w[:2] = 1
    objective = pauc_objective(max_fpr=0.3)
    np.testing.assert_array_equal(objective(y, f, w), objective(f, Data(y, w)))
    np.testing.assert_array_equal(objective(y, f), objective(f, Data(y, np.empty(0))))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(objective))(y, f), objective(y, f))
    weighted = w > 0
    slope, curvature = objective(y, f, w)
    assert not slope[~weighted].any() and not curvature[~weighted].any()
    np.testing.assert_allclose(
        slope[weighted], objective(y[weighted], f[weighted], w[weighted])[0], atol=1e-12
    )
    copies = objective(np.repeat(y, w.astype(int)), np.repeat(f, w.astype(int)))[0]
    sums = np.bincount(np.repeat(np.arange(y.size), w.astype(int)), copies, y.size)
    np.testing.assert_allclose(slope, sums, atol=1e-9)


@pytest.mark.parametrize(
    "options, call, message",
    [
        ({"min_fpr": 0.2, "max_fpr": 0.1}, None, "min_fpr < max_fpr"),
        ({"max_fpr": 0.3, "train_max_fpr": 0.2}, None, "train_max_fpr must not lie below max_fpr"),
        ({"max_fpr": 0.3, "train_max_fpr": 1.5}, None, "max_fpr <= 1"),
        ({}, (np.ones(4), np.arange(4.0)), "two classes"),
        (
            {},
            ([0, 1, 1, 1], np.arange(4.0)),
            "holds less than one of the 1 negatives: increase max_fpr",
        ),
        ({}, ([0, 1, 0, 1], [0, 1, np.nan, 2]), "NaN"),
        ({}, ([0, 1, 0, 1], [0, 1, -np.inf, 2]), "scores must be finite, got 1 NaN or infinite"),
        ({}, ([0, 1, 0, 1], [0, 1, 1, 2], [1, 0, 1, 0]), "only one class"),
    ],
)
def test_objective_says_what_is_wrong(options, call, message):
    with pytest.raises(ValueError, match=message):
        pauc_objective(**options)(*(call or ()))


def test_far_and_tied_scores_stay_finite():
    y = np.arange(60) % 2
    for f in (
        np.zeros(60),
        1e6 * np.random.default_rng(0).normal(size=60),
        np.r_[np.zeros(59), 1e300],
    ):
        slope, curvature = pauc_objective()(y, f)
        assert np.isfinite(slope).all() and np.isfinite(curvature).all()


def learnt(scores):
    """Is the training loss below a quarter of what it was, and the head of new rows four times better than chance?"""
    X, y = LEARN
    w, f = np.ones(2000), scores(X[:2000]).astype(float)
    share = range_share(f[y[:2000] == 0], w[y[:2000] == 0], 0, np.sqrt(0.1))
    fell = pairs_of_range(f, y[:2000], w, share) < np.log(2) * 1000 / 4
    return fell and partial_auc(y[HELD], scores(X[HELD]), max_fpr=0.1) > 0.2


def test_lightgbm_lowers_it():
    lightgbm = pytest.importorskip("lightgbm")
    X, y = LEARN
    model = lightgbm.LGBMClassifier(
        objective=pauc_objective(), n_estimators=50, n_jobs=1, verbose=-1
    )
    w = np.where(y == 1, 2.0, 1.0)[:2000]
    model = clone(model).fit(X[:2000], y[:2000], sample_weight=w)
    assert learnt(lambda Z: model.predict(Z, raw_score=True))
    parameters = {"objective": pauc_objective(), "verbose": -1, "num_threads": 1}
    booster = lightgbm.train(parameters, lightgbm.Dataset(X[:2000], y[:2000], weight=w), 50)
    np.testing.assert_allclose(
        booster.predict(X[HELD]), model.predict(X[HELD], raw_score=True), rtol=1e-6
    )


def test_xgboost_lowers_it():
    xgboost = pytest.importorskip("xgboost")
    X, y = LEARN
    model = xgboost.XGBClassifier(objective=pauc_objective(), n_estimators=50, n_jobs=1).fit(
        X[:2000], y[:2000]
    )
    assert learnt(lambda Z: model.predict(Z, output_margin=True))
    data = xgboost.DMatrix(X[:2000], y[:2000])
    booster = xgboost.train(
        {"disable_default_eval_metric": True, "nthread": 1}, data, 50, obj=pauc_objective()
    )
    assert learnt(lambda Z: booster.predict(xgboost.DMatrix(Z), output_margin=True))
