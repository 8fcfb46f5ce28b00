"""aucbook.isotonic.regression: against the min-max formula, against SciPy and scikit-learn, and bad input."""

import pickle
from itertools import combinations_with_replacement

import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from isotonic_reference import NO_JIT, minmax, quick_examples
from scipy.integrate import trapezoid
from scipy.optimize import isotonic_regression
from scipy.special import xlogy
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.exceptions import NotFittedError
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import check_estimator

from aucbook import PAVCalibrator, convex_minorant, pav, roc_auc, roc_curve

SIZES = [1, 2, 3, 10, 1000] + ([] if NO_JIT else [100_000, 1_000_000])


def same_length(y, elements):
    return st.lists(elements, min_size=len(y), max_size=len(y)).map(lambda v: np.array(v, float))


values = st.lists(st.integers(-20, 20), min_size=1, max_size=16)
sequences = st.one_of(
    values,
    values.map(sorted),
    values.map(lambda v: sorted(v)[::-1]),
    st.lists(st.integers(0, 1), min_size=1, max_size=24),
).map(np.array)


# ---- the function


@quick_examples
@given(sequences, st.data())
def test_equals_the_minmax_formula(y, data):
    w = data.draw(st.one_of(st.none(), same_length(y, st.integers(1, 9))))
    ones = np.ones(y.size) if w is None else w
    want = minmax(ones * y, ones)
    np.testing.assert_array_equal(
        pav(y, w), want
    )  # whole numbers: the sums are exact, and each mean is one division
    np.testing.assert_array_equal(pav(-y, w, increasing=False), -want)
    np.testing.assert_array_equal(pav(-y[::-1], None if w is None else w[::-1]), -want[::-1])


@quick_examples
@given(st.lists(st.floats(-1e9, 1e9, allow_subnormal=False), min_size=1, max_size=40), st.data())
def test_is_the_projection_on_monotone_sequences(y, data):
    y = np.array(y)
    w = data.draw(same_length(y, st.floats(1e-3, 1e3)))
    fit = pav(y, w)
    scale = np.abs(y).max()
    total = w.sum()
    assert np.all(np.diff(fit) >= 0)  # exactly, whatever the rounding
    # 40 terms with weights a factor 1e6 apart: a mean is off by at most 40 roundings of the largest value
    np.testing.assert_allclose(fit, isotonic_regression(y, weights=w).x, rtol=0, atol=1e-13 * scale)
    assert abs(w @ (fit - y)) <= 1e-13 * scale * total  # the mean is kept
    assert (
        abs((w * fit) @ (y - fit)) <= 1e-13 * scale**2 * total
    )  # the residual is orthogonal to the fit
    np.testing.assert_array_equal(pav(fit, w), fit)  # projecting twice changes nothing


@quick_examples
@given(sequences, st.data())
def test_rows_of_zero_weight_do_not_count(y, data):
    w = data.draw(same_length(y, st.integers(0, 2)))
    w[data.draw(st.integers(0, y.size - 1))] = 1
    weighted = w > 0
    alone = pav(y[weighted], w[weighted])
    np.testing.assert_array_equal(pav(y, w), alone[np.maximum(np.cumsum(weighted) - 1, 0)])


@quick_examples
@given(sequences, st.integers(-900, 900), st.integers(-900, 900), st.data())
def test_scales(y, power, weight_power, data):
    """A power of two in y or in the weights changes nothing else, however large or small."""
    w = data.draw(st.one_of(st.none(), same_length(y, st.integers(1, 9))))
    scaled = None if w is None else np.ldexp(w, weight_power)
    np.testing.assert_array_equal(
        pav(np.ldexp(y.astype(float), power), scaled), np.ldexp(pav(y.astype(float), w), power)
    )


@pytest.mark.parametrize(
    "y",
    [
        [1.7e308, 1.7e308, 1.6e308],
        [-1.7e308, 1.7e308, -1.7e308],
        [5e-324, 0.0, 0.0],
        [1e-300, 1e300, -1e300],
    ],
)
def test_extremes(y):
    fit = pav(y)
    assert np.all(np.isfinite(fit)) and np.all(np.diff(fit) >= 0)
    np.testing.assert_allclose(
        np.mean(np.array(fit) / 8), np.mean(np.array(y) / 8), rtol=1e-14, atol=5e-324
    )


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(
    "kind", ["noise", "trend", "labels", "rare", "monotone", "ties", "falling"]
)
def test_equals_scipy(n, kind):
    rng = np.random.default_rng(n)
    t = np.arange(n) / n
    y = {
        "noise": rng.normal(size=n),
        "trend": t + 0.3 * rng.normal(size=n),
        "labels": (rng.random(n) < t) * 1.0,
        "rare": (rng.random(n) < t / 20) * 1.0,
        "monotone": np.sort(rng.normal(size=n)),
        "ties": rng.integers(0, 5, n) + 3.0 * t.round(1),
        "falling": -t,
    }[kind]
    w = rng.integers(1, 5, n) * 1.0
    np.testing.assert_allclose(
        pav(y), isotonic_regression(y).x, rtol=0, atol=1e-11
    )  # sums of up to 1e6 terms near 1
    np.testing.assert_allclose(pav(y, w), isotonic_regression(y, weights=w).x, rtol=0, atol=1e-11)
    np.testing.assert_allclose(
        pav(y, increasing=False), isotonic_regression(y, increasing=False).x, rtol=0, atol=1e-11
    )
    if kind in ("labels", "rare", "ties"):  # one front pass or the other: the same pools
        np.testing.assert_allclose(pav(y, np.ones(n)), pav(y), rtol=1e-13)


@pytest.mark.kernel
@pytest.mark.parametrize(
    "dtype", [bool, np.int8, np.uint8, np.int64, np.float16, np.float32, np.float64, list]
)
def test_dtypes(dtype):
    y = [0, 1, 0, 0, 1, 1]
    y = y if dtype is list else np.array(y, dtype)
    before = np.array(y)
    fit = pav(y)
    assert fit.dtype == np.float64 and fit.flags.c_contiguous
    np.testing.assert_array_equal(fit, [0, 1 / 3, 1 / 3, 1 / 3, 1, 1])
    np.testing.assert_array_equal(y, before)  # the input is left alone
    fit[:] = 7
    np.testing.assert_array_equal(y, before)


def test_views():
    y = np.array([[3.0, 0], [1, 0], [2, 0]])[:, 0]
    np.testing.assert_array_equal(pav(y), [2, 2, 2])
    np.testing.assert_array_equal(pav(y[::-1]), [1.5, 1.5, 3])
    sorted_copy = pav(np.arange(5.0))
    assert sorted_copy.base is None


@pytest.mark.kernel
def test_labels_that_only_start_as_labels():
    np.testing.assert_array_equal(pav([0, 1, 0.5, 0.25]), [0, 1.75 / 3, 1.75 / 3, 1.75 / 3])
    np.testing.assert_array_equal(pav([1, 0, 2, -2]), [0.25] * 4)
    np.testing.assert_array_equal(pav([-0.0, 1, 0]), [0, 0.5, 0.5])


@pytest.mark.parametrize(
    "y, weight, words",
    [
        ([1, np.nan, 0], None, "NaN"),
        ([0, 1, np.nan], None, "NaN"),
        ([np.nan], None, "NaN"),
        ([1, np.inf], None, "infinite"),
        ([-np.inf, np.inf, 0], None, "infinite"),
        ([np.nan, 1], [0, 1], "NaN"),
        ([np.nan, 1], [2, 1], "NaN"),
        ([], None, "non-empty"),
        ([[1, 2]], None, "one-dimensional"),
        (3, None, "one-dimensional"),
        (["a", "b"], None, "real numbers"),
        ([1j, 2], None, "real numbers"),
        (np.array([1, None]), None, "real numbers"),
        ([1, 2], [1], "weight"),
        ([1, 2], [[1, 1]], "weight"),
        ([1, 2], [1, -1], "non-negative"),
        ([1, 2], [0, 0], "not all zero"),
        ([1, 2], [1, np.nan], "finite"),
        ([1, 2], [1, np.inf], "finite"),
    ],
)
def test_bad_input(y, weight, words):
    with pytest.raises(ValueError, match=words):
        pav(y, weight)


# ---- the calibrator


def labelled(n, levels, seed):
    rng = np.random.default_rng(seed)
    s = rng.integers(0, levels, n) * 1.0 if levels else rng.normal(size=n)
    return s, np.r_[0, 1, rng.integers(0, 2, n - 2)] if n > 2 else np.array([0, 1])


@quick_examples
@given(st.integers(2, 60), st.sampled_from([0, 2, 5, 30]), st.integers(0, 10**6), st.booleans())
def test_calibrator_is_isotonic_regression(n, levels, seed, weighted):
    s, y = labelled(n, levels, seed)
    w = np.random.default_rng(seed).integers(1, 4, n) * 1.0 if weighted else None
    want = IsotonicRegression(out_of_bounds="clip").fit(s, y, w)
    x = np.linspace(s.min() - 1, s.max() + 1, 97)
    ours = PAVCalibrator("linear").fit(s, y, w)
    np.testing.assert_allclose(ours.transform(s), want.predict(s), rtol=0, atol=1e-12)
    np.testing.assert_allclose(ours.transform(x), want.predict(x), rtol=0, atol=1e-12)
    midpoint = PAVCalibrator().fit(s, y, w)
    np.testing.assert_array_equal(
        midpoint.transform(s), ours.transform(s)
    )  # they differ only between training scores
    distinct = np.unique(s)
    q = midpoint.transform(distinct)
    if distinct.size > 1:
        np.testing.assert_array_equal(
            midpoint.transform((distinct[1:] + distinct[:-1]) / 2), (q[1:] + q[:-1]) / 2
        )


@quick_examples
@given(st.integers(2, 80), st.sampled_from([0, 3, 10, 50]), st.integers(0, 10**6), st.booleans())
def test_pools_are_the_corners_of_the_hull(n, levels, seed, weighted):
    s, y = labelled(n, levels, seed)
    w = np.random.default_rng(seed).integers(1, 4, n) * 0.25 if weighted else None
    curve = roc_curve(y, s, sample_weight=w)
    pools = PAVCalibrator().fit(s, y, w)
    corner = convex_minorant(curve.fpr, -curve.tpr)
    np.testing.assert_array_equal(curve.thresholds[corner[1:]][::-1], pools.thresholds_[:, 0])
    hull_area = trapezoid(curve.tpr[corner], curve.fpr[corner])
    assert abs(hull_area - roc_auc(y, pools.transform(s), sample_weight=w)) < 1e-12


@pytest.mark.parametrize("n", SIZES[3:])
def test_calibrator_sizes(n):
    for levels in (0, 100):
        s, y = labelled(n, levels, n)
        np.testing.assert_allclose(
            PAVCalibrator().fit(s, y).transform(s),
            IsotonicRegression().fit(s, y).predict(s),
            rtol=0,
            atol=1e-11,
        )


def test_outside_between_and_at():
    c = PAVCalibrator().fit([1, 2, 3, 4, 5, 6], [0, 1, 0, 0, 1, 1])
    np.testing.assert_allclose(
        c.transform([-9, 1, 1.5, 2, 2.5, 3, 4, 4.1, 5, 6, 99]),
        [0, 0, 1 / 6, 1 / 3, 1 / 3, 1 / 3, 1 / 3, 2 / 3, 1, 1, 1],
    )
    np.testing.assert_allclose(
        clone(c)
        .set_params(interpolation="linear")
        .fit([1, 2, 3, 4, 5, 6], [0, 1, 0, 0, 1, 1])
        .transform([1.75, 4.25]),
        [0.25, 0.5],
    )
    np.testing.assert_array_equal(c.thresholds_, [[1, 1], [2, 4], [5, 6]])
    np.testing.assert_allclose(c.probabilities_, [0, 1 / 3, 1])


def test_float32_scores_are_met_exactly():
    s = np.random.default_rng(0).normal(size=200).astype(np.float32)
    y = np.random.default_rng(1).integers(0, 2, 200)
    c = PAVCalibrator().fit(s, y)
    np.testing.assert_array_equal(
        c.transform(s), PAVCalibrator().fit(s.astype(float), y).transform(s.astype(float))
    )


@pytest.mark.parametrize("clip", ["a", -0.1, 0.5, np.nan])
def test_a_bad_clip_is_named(clip):
    with pytest.raises(ValueError, match=r"clip must be None or a number in \[0, 0.5\), got"):
        PAVCalibrator(clip=clip).fit([1, 2], [0, 1])


def test_clip():
    s, y = np.arange(6.0), np.array([0, 0, 1, 0, 1, 1])
    free = PAVCalibrator().fit(s, y)
    clipped = PAVCalibrator(clip=0.1).fit(s, y)
    np.testing.assert_allclose(clipped.transform(s), np.clip(free.transform(s), 0.1, 0.9))
    assert np.all(np.isfinite(np.log(clipped.predict_proba(s))))
    np.testing.assert_array_equal(PAVCalibrator(clip=0).fit(s, y).transform(s), free.transform(s))
    np.testing.assert_array_equal(clipped.probabilities_, free.probabilities_)


@pytest.mark.parametrize("labels", [(0, 1), (-1, 1), (False, True), ("healthy", "ill"), (2.0, 7.0)])
def test_labels_of_any_type(labels):
    s, y = np.arange(6.0), np.array(labels)[[0, 1, 0, 0, 1, 1]]
    c = PAVCalibrator().fit(s, y)
    np.testing.assert_array_equal(c.classes_, labels)
    np.testing.assert_array_equal(c.predict(s), np.array(labels)[[0, 0, 0, 0, 1, 1]])
    np.testing.assert_allclose(c.predict_proba(s).sum(1), 1)
    np.testing.assert_allclose(c.predict_proba(s)[:, 1], c.transform(s))


def test_shapes_and_zero_weights():
    s, y = np.arange(6.0), np.array([0, 1, 0, 0, 1, 1])
    c = PAVCalibrator().fit(s[:, None], y)
    assert (
        c.transform(s[:, None]).shape == (6, 1)
        and c.transform(s).shape == (6,)
        and c.fit_transform(s, y).shape == (6,)
    )
    w = np.array([1, 0, 1, 1, 1, 1.0])
    np.testing.assert_array_equal(
        PAVCalibrator().fit(s, y, w).thresholds_,
        PAVCalibrator().fit(s[w > 0], y[w > 0]).thresholds_,
    )


def test_clone_pickle_params():
    c = PAVCalibrator("linear", clip=0.01)
    assert c.get_params() == {"interpolation": "linear", "clip": 0.01} == clone(c).get_params()
    c.fit(np.arange(6.0), [0, 1, 0, 1, 0, 1])
    x = np.linspace(-1, 7, 33)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(c)).transform(x), c.transform(x))


def test_pipeline():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    X = rng.normal(size=(200, 3)) + y[:, None]
    p = make_pipeline(LinearDiscriminantAnalysis(), PAVCalibrator(clip=1e-3)).fit(X, y)
    assert p.predict_proba(X).shape == (200, 2)
    assert p.score(X, y) >= LinearDiscriminantAnalysis().fit(X, y).score(
        X, y
    )  # cut at one half, PAV is the best threshold there is


@pytest.mark.parametrize(
    "scores, y, weight, words",
    [
        ([1, np.nan], [0, 1], None, "NaN"),
        ([1, np.inf], [0, 1], None, "infinity"),
        ([1, 2, 3], [0, 1], None, "length"),
        ([1, 2], [1, 1], None, "two classes"),
        ([1, 2, 3], [0, 1, 2], None, "two classes"),
        ([[1, 2], [3, 4]], [0, 1], None, "one score per row"),
        (np.ones((2, 1, 1)), [0, 1], None, "dim"),
        ([], [], None, "0 sample"),
        ([1, 2], [0, 1], [1, -1], "non-negative"),
        ([1, 2], [0, 1], [0, 0], "not all zero"),
        ([1, 2], [0, 1], [1, 0], "one class"),
        ([1, 2], [0, 1], [1], "weight"),
        ([1, 2], None, None, "requires y"),
        (
            ["benign", "malignant"],
            [0.2, 0.7],
            None,
            "numbers, got words: scores come first, then labels",
        ),
        (np.array(["no", "yes"], object), [0.2, 0.7], None, "scores come first"),
        ([["no"], ["yes"]], [0.2, 0.7], None, "scores come first"),
    ],
)
def test_calibrator_bad_input(scores, y, weight, words):
    with pytest.raises(ValueError, match=words):
        PAVCalibrator().fit(scores, y, weight)


@pytest.mark.parametrize(
    "params, words",
    [
        (dict(interpolation="cubic"), "midpoint"),
        (dict(clip=0.5), "clip"),
        (dict(clip=-0.1), "clip"),
        (dict(clip="small"), "clip"),
        (dict(clip=np.nan), "clip"),
    ],
)
def test_calibrator_bad_parameters(params, words):
    with pytest.raises(ValueError, match=words):
        PAVCalibrator(**params).fit([1, 2], [0, 1])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("calibrator", [PAVCalibrator(), PAVCalibrator("linear", clip=0.01)])
def test_sklearn_conventions(calibrator):
    check_estimator(calibrator)


@pytest.mark.parametrize("output", ["pandas", "polars"])
@pytest.mark.parametrize("form", ["1d", "2d", "frame"])
def test_set_output_names_the_column_of_probabilities(output, form):
    engine = pytest.importorskip(output)
    table = pd.DataFrame({"score": [1.0, 2.0, 3.0, 4.0]}, index=list("abcd"))
    scores = {"1d": table["score"].to_numpy(), "2d": table.to_numpy(), "frame": table}[form]
    y = [0, 1, 0, 1]
    plain = PAVCalibrator().fit(scores, y)
    assert plain.get_feature_names_out().tolist() == ["pavcalibrator0"]
    assert isinstance(plain.transform(scores), np.ndarray)
    calibrator = PAVCalibrator().set_output(transform=output).fit(scores, y)
    for p in (calibrator.transform(scores), calibrator.fit_transform(scores, y)):
        assert isinstance(p, engine.DataFrame) and list(p.columns) == ["pavcalibrator0"]
        np.testing.assert_array_equal(p.to_numpy().ravel(), plain.transform(scores).ravel())
    if output == "pandas" and form == "frame":
        assert calibrator.transform(scores).index.tolist() == list("abcd")
    assert isinstance(calibrator.predict_proba(scores), np.ndarray)
    np.testing.assert_array_equal(calibrator.predict(scores), plain.predict(scores))


def test_columns_of_the_scores():
    table = pd.DataFrame({"score": [1.0, 2.0, 3.0, 4.0]})
    y = [0, 1, 0, 1]
    calibrator = PAVCalibrator().fit(table, y)
    assert calibrator.n_features_in_ == 1 and calibrator.feature_names_in_.tolist() == ["score"]
    with pytest.raises(ValueError, match="feature names should match"):
        calibrator.transform(table.rename(columns={"score": "probability"}))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        calibrator.transform(table.to_numpy())
    calibrator.transform(table["score"])  # a column alone has no name to compare
    calibrator.fit(table.to_numpy(), y)
    assert calibrator.n_features_in_ == 1 and not hasattr(calibrator, "feature_names_in_")
    with pytest.raises(ValueError, match="one score per row, got 2 columns"):
        calibrator.predict(np.ones((3, 2)))
    with pytest.raises(NotFittedError):
        PAVCalibrator().get_feature_names_out()


@pytest.mark.parametrize("routing", [False, True])
def test_a_calibrator_at_the_end_of_a_pipeline(routing):
    """Its argument `scores` is the table of the step, not metadata to be requested."""
    with sklearn.config_context(enable_metadata_routing=routing):
        line = make_pipeline(FunctionTransformer(), PAVCalibrator())
        s, y = np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([0, 1, 0, 1])
        np.testing.assert_array_equal(
            line.fit(s, y).predict_proba(s), PAVCalibrator().fit(s, y).predict_proba(s)
        )
        search = GridSearchCV(line, {"pavcalibrator__clip": [0, 0.1]}, cv=2)
        assert search.fit(s, y).best_params_["pavcalibrator__clip"] in (0, 0.1)
    if routing:
        with sklearn.config_context(enable_metadata_routing=True):
            w = np.array([1.0, 0.0, 2.0, 1.0])
            weighted = make_pipeline(
                FunctionTransformer(), PAVCalibrator().set_fit_request(sample_weight=True)
            )
            np.testing.assert_array_equal(
                weighted.fit(s, y, sample_weight=w).predict_proba(s),
                PAVCalibrator().fit(s, y, w).predict_proba(s),
            )
    assert not hasattr(PAVCalibrator, "set_transform_request")


@pytest.mark.parametrize("size", [1e-250, 1e-120, 1e120, 1e250])
def test_a_calibrator_depends_only_on_ratios_of_weights(size):
    """Products of weights would vanish or overflow in the pool."""
    s = np.arange(6.0)
    y = [0, 1, 0, 1, 0, 1]
    w = np.array([1.0, 2, 1, 1, 4, 1])
    plain = PAVCalibrator().fit(s, y, w).predict_proba(s)
    np.testing.assert_allclose(
        PAVCalibrator().fit(s, y, size * w).predict_proba(s), plain, rtol=1e-12
    )


@pytest.mark.parametrize(
    "y, w",
    [
        ([0, 1, 0, 0, 1, 1], None),
        ([1, 1, 0.5, 0, 0], [1, 1, 1, 1, 1]),  # falls throughout: one pool
        ([0, 1, 0, 1, 0], [0.01, 30, 0.01, 0.01, 30]),  # weights far apart, certainties between
        ([0.2, 0.2, 0.2, 0, 1], [3, 1, 2, 1, 1]),  # ties
    ],
)
def test_no_rising_sequence_is_more_likely(y, w):
    """Paper 2, Eq. 2: the fit has the largest likelihood of all that never fall, those of a fine grid and its own neighbours."""
    y, w = np.array(y, float), np.ones(len(y)) if w is None else np.array(w, float)
    fit, rng = pav(y, w), np.random.default_rng(0)
    grid = np.array(list(combinations_with_replacement(np.linspace(0, 1, 11), y.size)))
    near = np.sort(
        np.clip(fit + rng.normal(size=(4000, y.size)) * 10 ** rng.uniform(-6, 0, (4000, 1)), 0, 1)
    )

    def likely(q):
        return (xlogy(w * y, q) + xlogy(w * (1 - y), 1 - q)).sum(-1)

    assert likely(fit) >= max(likely(grid).max(), likely(near).max()) - 1e-12


def test_what_is_monotone_stays_whatever_its_size():
    for y in (
        [9.88e-324, 1, 1.79e308],
        [-1.79e308, -5e-324, 0, 5e-324, 1e-200],
        [5e-324, 1e150],
        [0, 0, 5e-324],
    ):
        for weight in (None, [1e-90] + [1e90] * (len(y) - 1)):
            assert pav(y, weight).tolist() == y
            assert (
                pav(y[::-1], None if weight is None else weight[::-1], increasing=False).tolist()
                == y[::-1]
            )
    assert pav([9.88e-324, 1e308, 1e307]).tolist()[1:] == pytest.approx([5.5e307] * 2)


def test_the_threshold_lies_where_positives_begin_to_prevail():
    s = np.arange(1.0, 6)

    def threshold(y, w=None):
        return PAVCalibrator().fit(s, np.array(y), w).threshold()

    assert [threshold(y) for y in ([0, 0, 1, 1, 1], [0, 0, 0, 0, 1], [0, 1, 1, 1, 1])] == [
        2.5,
        4.5,
        1.5,
    ]
    assert threshold([1, 1, 0, 0, 0]) > 5  # never
    assert threshold([0, 0, 1, 1, 1], np.array([1, 1, 1, 9, 9.0])) == 2.5
