"""Every interval contains its estimate, and every p-value agrees with its interval."""

import dataclasses
import inspect

import matplotlib.pyplot as plt
import numpy as np
import pytest
from discovery import PUBLIC, all_measures
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB

from aucbook import (
    AP,
    AUC,
    TPR,
    AdditiveRanker,
    auc_interval,
    auc_test,
    compare_scores,
    decision_curve,
    reliability_curve,
    tpr_interval,
    venn_abers,
)
from aucbook._base.estimates import Estimate, include_estimate, interval_includes_estimate
from aucbook.calibration import calibration_line
from aucbook.cli.validate import mean_with_interval
from aucbook.displays import RocCurveDisplay
from aucbook.inference import (
    auc_test_unpaired,
    precision_recall_band,
    reader_study,
    reliability_band,
    roc_band,
)
from aucbook.measures import topic_mean, topic_test
from aucbook.metrics import BinnedCounts
from aucbook.thresholds import operating_point, subgroups

pytestmark = pytest.mark.filterwarnings("ignore")
# the field between low and high, if it is not `estimate`; None: there is no estimate
ESTIMATE = {
    "Estimate": "value",
    "AucTest": "difference",
    "MeasureTest": "difference",
    "TopicTest": "difference",
    "ReaderStudy": "difference",
    "DecisionCurve": "net_benefit",
    "ColumnCurve": "votes",
    "VennAbers": "probability",
    "MeanCurve": "mean",
    "RocBand": None,
    "PrecisionRecallBand": None,
    "ReliabilityBand": None,
    "ReliabilityCurve": None,
}
MEASURES = all_measures()


def field_names(cls):
    """Names of a result's fields."""
    return getattr(cls, "_fields", None) or [field.name for field in dataclasses.fields(cls)]


def results():
    """{name: class} of the public results that have an interval."""
    classes = {
        name.rpartition(".")[2]: value for name, value in PUBLIC.items() if inspect.isclass(value)
    }
    classes |= {"Estimate": Estimate}
    records = {
        k: c for k, c in classes.items() if hasattr(c, "_fields") or dataclasses.is_dataclass(c)
    }
    return {name: cls for name, cls in records.items() if {"low", "high"} <= set(field_names(cls))}


RESULTS = results()
CHECKED = set()


def check(result):
    """Assert low <= estimate <= high in a result and everything in it."""
    name = type(result).__name__
    if name in RESULTS:
        CHECKED.add(name)
        low = np.asarray(result.low, float)
        high = np.asarray(result.high, float)
        assert not (low > high).any(), result
        if field := ESTIMATE.get(name, "estimate"):
            estimate = np.asarray(getattr(result, field), float)
            assert not (low > estimate).any(), result
            assert not (estimate > high).any(), result
        if field and isinstance(getattr(result, field), float):
            assert isinstance(result.low, float), result
            assert isinstance(result.high, float), result
    if dataclasses.is_dataclass(result):
        for field in dataclasses.fields(result):
            check(getattr(result, field.name))
    elif isinstance(result, dict):
        for value in result.values():
            check(value)
    elif isinstance(result, (tuple, list)):
        for value in result:
            check(value)


def samples():
    """Labels and two scores: random, tied, separated, reversed, constant, tiny."""
    rng = np.random.default_rng(0)
    for m, n in ((2, 2), (2, 9), (9, 2), (3, 7), (15, 40), (40, 15)):
        y = rng.permutation(np.repeat([1, 0], (m, n)))
        noise = rng.normal(size=(2, m + n))
        yield y, *(noise + y)
        yield y, *np.round(noise + y)
        yield y, y + 0.1 * rng.random(m + n), -y - 0.1 * rng.random(m + n)
        yield y, y.astype(float), np.zeros(m + n)


def mean_of_folds(X, y):
    """The mean ROC curve of two folds."""
    folds = cross_validate(
        GaussianNB(), X, y, cv=2, return_estimator=True, return_indices=True, scoring=AUC
    )
    display = RocCurveDisplay.from_cv_results(folds, X, y)
    plt.close(display.figure_)
    return display.mean_


def interval_calls(y, s, t, seed):
    """Yield calls that give intervals; some raise ValueError for some of the rows."""
    p, q = (1 / (1 + np.exp(-score)) for score in (s, t))
    options = {"n_resamples": 20, "random_state": seed}
    groups = np.arange(y.size) // 2
    topics = np.arange(y.size) % 3
    for confidence_level in (0.5, 0.95):
        for scale in ("score", "logit", "linear"):
            yield lambda: auc_interval(y, s, confidence_level=confidence_level, scale=scale)
            yield lambda: auc_interval(
                y,
                s,
                min_fpr=0.1,
                max_fpr=0.4,
                confidence_level=confidence_level,
                scale=scale,
                form="mcclish",
            )
            yield lambda: auc_interval(
                y, s, groups=groups, confidence_level=confidence_level, scale=scale
            )
        yield lambda: auc_interval(
            y, s, method="bootstrap", confidence_level=confidence_level, **options
        )
        yield lambda: tpr_interval(
            y, s, [0, 0.1, 0.5, 1], confidence_level=confidence_level, **options
        )
        yield lambda: tpr_interval(
            y, s, 0.3, confidence_level=confidence_level, groups=groups, **options
        )
        for scale in ("score", "linear"):
            yield lambda: auc_test(
                y, s, t, confidence_level=confidence_level, scale=scale, margin=0.1
            )
            yield lambda: auc_test(
                y, s, t, -s, max_fpr=0.3, confidence_level=confidence_level, scale=scale, margin=0.1
            )
            yield lambda: auc_test(
                y, s, t, confidence_level=confidence_level, scale=scale, groups=groups
            )
            yield lambda: auc_test(
                y,
                s,
                t,
                confidence_level=confidence_level,
                scale=scale,
                method="bootstrap",
                **options,
            )
            yield lambda: auc_test_unpaired(
                y, s, y, t, confidence_level=confidence_level, scale=scale, margin=0.1
            )
    for measure in MEASURES:
        one, two = (p, q) if measure.probabilities else (s, t)
        yield lambda: measure.interval(y, one, **options)
        yield lambda: measure.test(y, one, two, margin=0.1, **options)
        yield lambda: measure.test(y, one, two, scale="linear", **options)
    for name in ("AP", "auc"):
        yield lambda: topic_mean(y, s, topics, name)
        yield lambda: topic_test(y, s, t, topics, name)
    yield lambda: operating_point(y, s, float(np.median(s)))
    yield lambda: operating_point(y, s, float(np.median(s)), groups=groups)
    for method in ("dkw", "binomial"):
        yield lambda method=method: roc_band(y, s, method=method)
        yield lambda method=method: precision_recall_band(y, s, method=method)
    yield lambda: reliability_band(y, p)
    yield lambda: decision_curve(y, {"p": p, "q": q}, **options)
    yield lambda: reliability_curve(y, p, **options)
    yield lambda: reliability_curve(y, p, band="confidence", **options)
    yield lambda: venn_abers(y, s, t)
    yield lambda: calibration_line(y, p)
    yield lambda: mean_of_folds(np.c_[s, t], y)
    yield (
        lambda: BinnedCounts(np.unique(s)[1:]).update(y, s).auc() if np.unique(s).size > 1 else None
    )
    yield lambda: AdditiveRanker().fit(np.c_[s, t], y).curve(0) if y.size > 50 else None


def test_every_interval_contains_its_estimate():
    CHECKED.clear()
    for seed, (y, s, t) in enumerate(samples()):
        for call in interval_calls(y, s, t, seed):
            try:
                result = call()
            except ValueError:  # too few rows, groups or bins
                continue
            check(result)
    table = {
        "reader": [0, 0, 0, 0, 1, 1, 1, 1] * 2,
        "modality": [0] * 8 + [1] * 8,
        "case": [0, 1, 2, 3] * 4,
    }
    table |= {
        "y_true": [0, 0, 1, 1] * 4,
        "y_score": [1, 2, 3, 4, 1, 3, 2, 4, 1, 2, 2, 4, 2, 2, 1, 3],
    }
    check(reader_study(table))
    check(reader_study(table, readers="fixed", clip=False))
    assert set(RESULTS) <= CHECKED, f"no call returns {set(RESULTS) - CHECKED}"


@pytest.mark.parametrize("scale", ["score", "logit", "linear"])
def test_separated_samples_of_every_size(scale):
    violations = []
    for m in range(2, 31):
        for n in range(2, 31):
            y = np.repeat([0, 1], (n, m))
            for s in (np.arange(m + n), -np.arange(m + n)):
                result = auc_interval(y, s, scale=scale)
                if not result.low <= result.estimate <= result.high:
                    violations.append((m, n, result))
    assert not violations, violations[:3]


@pytest.mark.parametrize("max_fpr", [0.1, 0.5])
def test_separated_samples_in_a_range(max_fpr):
    for m in range(2, 31, 3):
        for n in range(2, 31, 3):
            y = np.repeat([0, 1], (n, m))
            for form in ("normalized", "raw", "mcclish"):
                for s in (np.arange(m + n), -np.arange(m + n)):
                    result = auc_interval(y, s, max_fpr=max_fpr, form=form)
                    assert result.low <= result.estimate <= result.high


def test_intervals_of_tables_and_subgroups_contain_their_estimates():
    rng = np.random.default_rng(3)
    for seed, (y, s, t) in enumerate(samples()):
        rows = compare_scores(y, {"a": s, "b": t}, measures=[(AUC, AP, TPR(0.2))[seed % 3]]).rows
        first = next(
            key for key in rows[0] if key in ("AUC", "average precision", "TPR at FPR 0.2")
        )
        assert all(row["low"] <= row[first] <= row["high"] for row in rows)
        later = [row for row in rows if row["difference"] is not None]
        assert all(
            row["difference low"] <= row["difference"] <= row["difference high"] for row in later
        )
        by = rng.integers(0, 2, y.size).astype(str)
        try:
            result = subgroups(y, s, by, threshold=float(np.median(s)))
        except ValueError:
            continue
        for row in result.rows:
            for value in row.values():
                if isinstance(value, tuple) and len(value) == 3 and not np.isnan(value).any():
                    assert value[1] <= value[0] <= value[2]
    for k in range(2, 40):
        for hits in range(k + 1):
            mean, low, high = mean_with_interval(np.repeat([1.0, 0.0], (hits, k - hits)))
            assert low <= mean <= high


@pytest.mark.parametrize("measure", [*MEASURES, "unpaired"], ids=repr)
def test_p_values_agree_with_the_interval(measure):
    rng = np.random.default_rng(1)
    for y, s, t in samples():
        for _ in range(3):
            confidence_level = rng.uniform(0.5, 0.999)
            margin = rng.uniform(0, 0.4)
            options = {"confidence_level": confidence_level, "margin": margin}
            if measure == "unpaired":
                result = auc_test_unpaired(y, s, y, t, **options)
                larger = True
            else:
                one, two = (
                    (1 / (1 + np.exp(-np.array([s, t])))) if measure.probabilities else (s, t)
                )
                result = measure.test(y, one, two, n_resamples=20, random_state=0, **options)
                larger = measure.larger
            assert result.low <= result.difference <= result.high
            assert (result.pvalue < 1 - confidence_level) == (not result.low <= 0 <= result.high), (
                result
            )
            inferior = result.low > -margin if larger else result.high < margin
            assert (result.noninferiority < (1 - confidence_level) / 2) == inferior, result
            assert 0 <= result.pvalue <= 1
            assert np.isfinite(result.statistic)


def test_two_rows_of_each_class_are_never_significant():
    for s in ([0, 1, 2, 3], [3, 2, 1, 0], [0, 0, 1, 1], [0, 2, 1, 3]):
        for t in ([0, 1, 2, 3], [3, 2, 1, 0], [1, 1, 1, 1]):
            result = auc_test([0, 0, 1, 1], s, t, margin=0.1)
            assert result.pvalue >= 1 / 3
            assert result.noninferiority >= 1 / 6
            assert result.low < result.high
            unpaired = auc_test_unpaired([0, 0, 1, 1], s, [0, 0, 1, 1], t)
            assert 0 < unpaired.pvalue <= 1
            assert unpaired.low < unpaired.high


def test_limits_move_to_the_estimate_and_no_farther():
    assert include_estimate(1.0, 0.5, 1 - 1e-16) == (0.5, 1.0)
    assert include_estimate(0.5, 0.1, 0.9) == (0.1, 0.9)
    assert include_estimate(0.5, None, None) == (None, None)
    assert np.isnan(include_estimate(np.nan, 0.1, 0.2)[0]) is np.False_
    low, high = include_estimate(
        np.array([0.1, np.nan]), np.array([0.2, 0.0]), np.array([0.3, 1.0])
    )
    assert low.tolist() == [0.1, 0.0]
    assert high.tolist() == [0.3, 1.0]

    @dataclasses.dataclass(frozen=True)
    @interval_includes_estimate("value")
    class Result:
        value: float
        low: float
        high: float

    assert Result(1.0, 2.0, 3.0) == Result(1.0, 1.0, 3.0)
    assert Result(value=4.0, low=2.0, high=3.0).high == 4.0
