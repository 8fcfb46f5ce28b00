"""aucbook.metrics.roc against slow references that share no code with it, and against bad input."""

import pickle

import numba
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from score_samples import samples
from sklearn import metrics

from aucbook import average_precision_11pt, partial_auc, roc_auc, roc_curve, tpr_at_fpr
from aucbook._numerics.sorting import best_youden_split, sort_order
from aucbook._validation.checks import check_labels
from aucbook.metrics import RocCurve, youden_threshold

SIZES = [5000] if numba.config.DISABLE_JIT else [5000, 10**5, 10**6]


def pairs(y, s, w):
    won = (s[y == 1][:, None] > s[y == 0]) + 0.5 * (s[y == 1][:, None] == s[y == 0])
    return w[y == 1] @ won @ w[y == 0] / (w[y == 1].sum() * w[y == 0].sum())


def points(y, s, w):
    """The ROC polyline, threshold by threshold."""
    thresholds = np.unique(s)[::-1]

    def rate(c):
        return [0.0, *(w[(y == c) & (s >= t)].sum() / w[y == c].sum() for t in thresholds)]

    return np.array(rate(0)), np.array(rate(1)), np.r_[np.inf, thresholds]


def area(x, t, a, b):
    """Exact area of a polyline: cut it at a and b, then trapezoids over its own corners."""

    def height(u, side):
        left, right = np.flatnonzero(x <= u)[-1], np.flatnonzero(x >= u)[0]
        if x[left] >= x[right]:
            return t[left] if side == "right" else t[right]
        return t[left] + (t[right] - t[left]) * (u - x[left]) / (x[right] - x[left])

    inside = (x > a) & (x < b)
    xs = np.r_[a, x[inside], b]
    ts = np.r_[height(a, "right"), t[inside], height(b, "left")]
    return float(np.sum(np.diff(xs) * (ts[1:] + ts[:-1]) / 2))


def ones(y, w):
    return np.ones(len(y)) if w is None else w


TOLERANCE = 1e-12  # sums of at most 625 products of numbers near one


@given(samples())
def test_auc_counts_pairs(sample):
    y, s, w = sample
    assert roc_auc(y, s, sample_weight=w) == pytest.approx(pairs(y, s, ones(y, w)), abs=TOLERANCE)


@given(samples())
def test_curve_has_every_threshold(sample):
    y, s, w = sample
    fpr, tpr, thresholds = roc_curve(y, s, sample_weight=w)
    x, t, th = points(y, s, ones(y, w))
    np.testing.assert_array_equal(thresholds, th)
    np.testing.assert_allclose(fpr, x, atol=TOLERANCE)
    np.testing.assert_allclose(tpr, t, atol=TOLERANCE)
    assert (fpr[-1], tpr[-1]) == (1, 1)


@given(samples(), st.floats(0, 1), st.floats(0, 1))
def test_partial_auc_is_the_area_of_the_polyline(sample, a, b):
    y, s, w = sample
    a, b = sorted((a, b))
    if b - a < 1e-3:
        return
    raw = area(*points(y, s, ones(y, w))[:2], a, b)
    assert partial_auc(y, s, min_fpr=a, max_fpr=b, form="raw", sample_weight=w) == pytest.approx(
        raw, abs=TOLERANCE
    )
    assert partial_auc(y, s, min_fpr=a, max_fpr=b, sample_weight=w) == pytest.approx(
        raw / (b - a), abs=1e-9
    )  # the division magnifies by at most 1000
    assert roc_curve(y, s, sample_weight=w).auc(min_fpr=a, max_fpr=b, form="raw") == pytest.approx(
        raw, abs=TOLERANCE
    )


@given(samples(weights=False), st.floats(0.01, 0.99))
def test_mcclish_is_scikit_learns_max_fpr(sample, beta):
    y, s, _ = sample
    s = np.clip(s, -1e30, 1e30)  # scikit-learn takes no infinities
    assert partial_auc(y, s, max_fpr=beta, form="mcclish") == pytest.approx(
        metrics.roc_auc_score(y, s, max_fpr=beta), abs=1e-9
    )


@pytest.mark.parametrize("width", [1e-3, 1e-6, 1e-9, 2**-53])
def test_ranges_as_narrow_as_they_get(width):
    for alpha, beta in ((1 - width, 1), (0, width)):
        assert partial_auc([0, 1], [1, 2], min_fpr=alpha, max_fpr=beta, form="mcclish") == 1
        noise = (
            4 * np.finfo(float).eps / ((1 - alpha) + (1 - beta))
        )  # of a height, over what chance lacks of 1
        assert partial_auc(
            [0, 1], [1, 1], min_fpr=alpha, max_fpr=beta, form="mcclish"
        ) == pytest.approx(0.5, abs=noise)
    rng = np.random.default_rng(0)
    y = np.arange(5000) % 2  # enough rows for the short cut
    s = rng.normal(size=y.size) + y
    for beta in (width**2, width**3):  # left of the first negative
        assert partial_auc(y, s, max_fpr=beta) == pytest.approx(
            (s[y == 1] > s[y == 0].max()).mean(), abs=1e-5
        )


@given(samples())
def test_youden_is_the_largest_gap(sample):
    y, s, w = sample
    threshold, J = youden_threshold(y, s, sample_weight=w)
    x, t, th = points(y, s, ones(y, w))
    assert pytest.approx(max(t - x), abs=TOLERANCE) == J
    order = sort_order(s)
    signed = ones(y, w) * np.where(
        y == 1, 1 / ones(y, w)[y == 1].sum(), -1 / ones(y, w)[y == 0].sum()
    )
    best, i = best_youden_split(s[order].astype(float), signed[order])
    assert best == pytest.approx(J, abs=TOLERANCE)
    assert i == len(y) or i == 0 or s[order][i - 1] != s[order][i]


@given(st.integers(2, 60), st.integers(1, 5), st.integers(0, 10**6))
def test_a_specificity_taken_from_one_is_a_rate_of_the_curve(n, times, seed):
    """1 - .9 is .1 but for a rounding, which must not cost a step; nor must weights that add up with roundings."""
    rng = np.random.default_rng(seed)
    y, s = np.r_[np.ones(8, int), np.zeros(n, int)], rng.normal(size=8 + n)
    k = np.arange(n + 1)
    for w in (None, np.full(8 + n, 0.1 * times)):
        np.testing.assert_allclose(
            tpr_at_fpr(y, s, 1 - (n - k) / n, sample_weight=w), tpr_at_fpr(y, s, k / n), rtol=1e-12
        )
    assert tpr_at_fpr(y, s, 1 - (n - 1) / n) == tpr_at_fpr(y, s, 1 / n)


def test_a_tiny_rate_is_not_zero():
    y = [1, 0, 1, 0]
    s = [4, 3, 2, 1]
    w = [1, 1e-17, 1, 1]
    assert tpr_at_fpr(y, s, [0, 5e-18, 1e-17], sample_weight=w).tolist() == [0.5, 0.5, 1]


@given(samples(), st.floats(0, 1))
def test_tpr_at_fpr_is_the_height_of_the_curve(sample, at):
    y, s, w = sample
    x, t, _ = points(y, s, ones(y, w))
    best = max(
        [t[x <= at + 1e-15].max()]
        + [
            t[i - 1] + (t[i] - t[i - 1]) * (at - x[i - 1]) / (x[i] - x[i - 1])
            for i in range(1, len(x))
            if x[i - 1] <= at <= x[i] and x[i] > x[i - 1]
        ]
    )
    assert tpr_at_fpr(y, s, at, sample_weight=w) == pytest.approx(best, abs=1e-9)


@given(samples())
def test_hull_is_concave_and_above(sample):
    y, s, w = sample
    curve = roc_curve(y, s, sample_weight=w)
    hull = curve.hull()
    assert set(zip(*hull)) <= set(zip(*curve))
    assert (np.interp(curve.fpr, hull.fpr, hull.tpr) >= curve.tpr - 1e-9)[curve.fpr > 0].all()
    cross = (
        np.diff(hull.fpr)[:-1] * np.diff(hull.tpr)[1:]
        - np.diff(hull.fpr)[1:] * np.diff(hull.tpr)[:-1]
    )
    assert (cross <= TOLERANCE).all()
    assert hull.auc() >= curve.auc() - TOLERANCE


@given(samples(weights=False))
def test_11pt_average_precision_spreads_ties(sample):
    y, s, _ = sample
    hits = np.concatenate(
        [np.full((s == v).sum(), y[s == v].mean()) for v in np.unique(s)[::-1]]
    ).cumsum()
    precision = hits / np.arange(1, len(y) + 1)
    expected = np.mean(
        [precision[10 * hits / y.sum() >= level - 1e-9].max() for level in range(11)]
    )
    assert average_precision_11pt(y, s) == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int16", "bool"])
def test_large_samples_agree_with_scikit_learn(n, dtype):
    rng = np.random.default_rng(n)
    y = (rng.random(n) < 0.2).astype(int)
    s = {
        "float64": lambda z: z,
        "float32": np.float32,
        "int16": lambda z: (20 * z).astype(np.int16),
        "bool": lambda z: z > 1,
    }[dtype](rng.normal(size=n) + y)
    w = rng.random(n)
    assert roc_auc(y, s) == pytest.approx(
        metrics.roc_auc_score(y, s), abs=1e-12
    )  # theirs sums n trapezoids in floating point
    assert roc_auc(y, s, sample_weight=w) == pytest.approx(
        metrics.roc_auc_score(y, s, sample_weight=w), abs=1e-10
    )
    for beta in (0.001, 0.1, 0.4):
        assert partial_auc(y, s, max_fpr=beta, form="mcclish") == pytest.approx(
            metrics.roc_auc_score(y, s, max_fpr=beta), abs=1e-9
        )
    fpr, tpr, thresholds = metrics.roc_curve(y, s, drop_intermediate=False)
    for ours, theirs in zip(roc_curve(y, s), (fpr, tpr, thresholds)):
        np.testing.assert_allclose(ours, theirs, atol=1e-12)


@pytest.mark.parametrize(
    "y",
    [
        [False, True, False],
        ["a", "b", "a"],
        np.array(["a", "b", "a"], object),
        [-1, 1, -1],
        [2.5, 7.5, 2.5],
        np.uint8([0, 255, 0]),
        pd.Series([0, 1, 0]),
    ],
)
def test_two_class_labels_of_any_kind(y):
    assert roc_auc(y, [0.1, 0.9, 0.2]) == 1
    assert roc_auc(y, [0.1, 0.9, 0.2], pos_label=np.asarray(y)[0]) == 0


def test_inputs_of_any_layout():
    s = np.arange(20.0)[::-2]
    s.setflags(write=False)
    y = np.tile([1, 1, 0, 1, 0], 2)
    assert (
        roc_auc(y, s)
        == roc_auc(list(y), list(s))
        == roc_auc(pd.Series(y), pd.Series(s))
        == pytest.approx(metrics.roc_auc_score(y, s))
    )


@pytest.mark.kernel
def test_the_smallest_sample():
    assert (roc_auc([0, 1], [1, 2]), roc_auc([0, 1], [2, 1]), roc_auc([0, 1], [1, 1])) == (
        1,
        0,
        0.5,
    )
    assert average_precision_11pt([0, 1], [1, 2]) == 1


def test_curve_is_a_plain_tuple():
    curve = roc_curve([0, 1], [1, 2])
    assert isinstance(curve, RocCurve) and len(tuple(curve)) == 3
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(curve)).fpr, curve.fpr)


BAD = [
    (([0, 1], [1.0, np.nan]), {}, "NaN"),
    (([0, 1, 1], [1, 2]), {}, "same length"),
    (([1, 1], [1, 2]), {}, "two classes"),
    (([0, 1, 2], [1, 2, 3]), {}, "two classes"),
    (([], []), {}, "non-empty"),
    (([[0, 1]], [1, 2]), {}, "one-dimensional"),
    (([0, 1], [[1, 2], [3, 4]]), {}, "positive class"),
    (
        ([0, 1], ["a", "b"]),
        {},
        "real numbers, got words: give decision_function or predict_proba, not predict",
    ),
    (([0, 1], np.array(["a", 0.5], object)), {}, "not predict"),
    (([0, 1], ["0.9", "0.2"]), {}, r"convert it, e.g. np.asarray\(y_score, dtype=float\)"),
    (([0, 1], np.array([1, None], object)), {}, "real numbers"),
    ((np.array([0, 1], object), [1, 2]), {}, "dtype object"),
    (([0.0, np.nan], [1, 2]), {}, "NaN labels"),
    (([0, 1], [1j, 2]), {}, "real numbers"),
    (([0, 1], [2**53 + 1, 2**53 + 2]), {}, "2**53"),
    (([0, 1], [1, 2]), {"pos_label": 7}, "pos_label"),
    (([0, 1], [1, 2]), {"sample_weight": [1]}, "one per row"),
    (([0, 1], [1, 2]), {"sample_weight": [1, -1]}, "non-negative"),
    (([0, 1], [1, 2]), {"sample_weight": [0, 0]}, "not all zero"),
    (([0, 1], [1, 2]), {"sample_weight": [1, np.inf]}, "finite"),
    (([0, 1], [1, 2]), {"sample_weight": [1, 0]}, "no weight"),
    (([0, 1], [1, 2]), {"sample_weight": ["a", "b"]}, "real numbers"),
]


@pytest.mark.parametrize("function", [roc_auc, roc_curve, partial_auc, youden_threshold])
@pytest.mark.parametrize("arguments, keywords, word", BAD)
def test_bad_input_is_named(function, arguments, keywords, word):
    with pytest.raises(ValueError, match=word.replace("*", r"\*")):
        function(*arguments, **keywords)


@pytest.mark.parametrize(
    "alpha, beta", [(0.5, 0.5), (0.3, 0.1), (-0.1, 0.5), (0, 1.1), (np.nan, 1)]
)
def test_bad_ranges_are_named(alpha, beta):
    with pytest.raises(ValueError, match="min_fpr < max_fpr"):
        partial_auc([0, 1], [1, 2], min_fpr=alpha, max_fpr=beta)


def test_other_bad_arguments_are_named():
    with pytest.raises(ValueError, match="form"):
        partial_auc([0, 1], [1, 2], form="area")
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        tpr_at_fpr([0, 1], [1, 2], 1.5)
    with pytest.raises(ValueError, match="NaN labels"):
        check_labels([np.nan, np.nan])


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1.0, 1e200, 1e308])
def test_only_the_ratios_of_weights_matter(scale):
    y, s = [0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0]
    assert roc_auc(y, s, sample_weight=[scale] * 4) == 0.75
    assert partial_auc(y, s, max_fpr=0.5, sample_weight=[scale] * 4) == partial_auc(
        y, s, max_fpr=0.5
    )


def test_a_row_without_weight_leaves_no_threshold():
    weighted = roc_curve([0, 1, 0, 1], [1, 2, 3, 4], sample_weight=[1, 1, 0, 1])
    absent = roc_curve([0, 1, 1], [1, 2, 4])
    for a, b in zip(weighted, absent):
        assert a.tolist() == b.tolist()


@pytest.mark.kernel
def test_the_top_of_many_rows_is_all_that_a_narrow_range_needs():
    rng = np.random.default_rng(0)
    y = (rng.random(40_000) < 0.3).astype(int)
    s = (rng.normal(size=y.size) + y).round(2)
    # sums of the same terms, in another order
    assert partial_auc(y, s, max_fpr=0.05) == pytest.approx(
        roc_curve(y, s).auc(max_fpr=0.05), abs=1e-12
    )


@pytest.mark.parametrize("m, n, tied", [(6, 9, False), (1, 1, False), (5, 4, True), (2, 30, True)])
def test_the_first_negative_is_the_infinite_push(m, n, tied):
    """Paper 3, section 1: over [0, 1/n] the partial AUC is one less the largest share of positives that one negative beats."""
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], [m, n])
    for _ in range(100):
        s = rng.integers(0, 6, m + n) * 1.0 if tied else rng.normal(size=m + n)
        s[-1] = (
            s[m:].max() + 1
        )  # one negative alone in front of the others; positives may tie with it
        s[0] = rng.choice([s[0], s[-1]])
        beats = (s[m:] > s[:m, None]) + (s[m:] == s[:m, None]) / 2
        assert partial_auc(y, s, max_fpr=1 / n) == pytest.approx(1 - beats.mean(0).max(), abs=1e-12)
    s = np.r_[np.zeros(m), np.ones(n) + 1]
    s[:m] = 2.0  # all in one tie: the range holds a part of the diagonal
    assert partial_auc(y, s, max_fpr=1 / n) == pytest.approx(1 / (2 * n), abs=1e-12)


def test_a_long_curve_prints_on_a_screen():
    y = np.arange(600) % 2
    s = np.random.default_rng(0).random(600)
    text = repr(roc_curve(y, s))
    assert len(text.splitlines()) < 12 and "<601 values, 0 to 1>" in text
    assert repr(roc_curve([0, 1], [0, 1])).startswith("RocCurve(fpr=[0, 0, 1], tpr=[0, 1, 1], ")
