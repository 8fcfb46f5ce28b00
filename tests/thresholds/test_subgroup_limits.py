"""Thresholds by subgroup: against the plain functions, their error for all at once, pooling, and what they change."""

import numpy as np
import pytest
from scipy.stats import binomtest

from aucbook import fpr_threshold
from aucbook.thresholds import subgroup_thresholds, tpr_threshold


def clinics(seed=0, n=1500):
    """(labels, scores, clinic) of two large clinics and a small one."""
    rng = np.random.default_rng(seed)
    where = rng.choice(["north", "south", "cabin"], n, p=[0.6, 0.37, 0.03])
    y = (rng.random(n) < 0.3).astype(int)
    return y, rng.normal(size=n) + 1.5 * y + 0.7 * (where == "south"), where


@pytest.mark.parametrize("decimals", [1, 8])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.filterwarnings("ignore:tied scores")
def test_each_threshold_is_the_plain_one_at_its_part_of_the_error(decimals, kind):
    y, s, where = clinics()
    s = np.round(s, decimals).astype(kind)
    result = subgroup_thresholds(y, s, where, max_fpr=0.3)
    above = subgroup_thresholds(y, s, where, min_tpr=0.6)
    alone = []
    for name in ("north", "south", "cabin"):
        here = where == name
        ones = y[here], s[here]
        assert result.thresholds[name] == fpr_threshold(*ones, 0.3, confidence_level=1 - 0.05 / 3)
        assert above.thresholds[name] == tpr_threshold(*ones, 0.6, confidence_level=1 - 0.05 / 3)
        alone.append((fpr_threshold(*ones, 0.3), tpr_threshold(*ones, 0.6)))
    assert result.common == fpr_threshold(y, s, 0.3) and above.common == tpr_threshold(y, s, 0.6)
    assert result.strictest == max(alone)[0] and above.strictest == min(two[1] for two in alone)
    assert (result.predict(s, where) == (s >= result.thresholds_of(where))).all()
    assert "(no name)" not in result.thresholds and result.pooled == ()


def test_labels_of_words_and_groups():
    y, s, where = clinics()
    patient = np.arange(y.size) // 3
    words = np.where(y == 1, "a", "b")
    result = subgroup_thresholds(words, s, where, max_fpr=0.3, pos_label="a", groups=patient)
    here = where == "south"
    plain = fpr_threshold(
        y[here], s[here], 0.3, confidence_level=1 - 0.05 / 3, groups=patient[here]
    )
    assert result.thresholds["south"] == plain
    effects = result.evaluate(words, s, where, groups=patient)
    flagged = result.predict(s, where)
    assert effects.row("south", "TPR")["separate"].value == flagged[here & (y == 1)].mean()


def test_small_subgroups_are_refused_with_the_number_that_would_do():
    y, s, where = clinics()
    n = int((y[where == "cabin"] == 0).sum())
    with pytest.raises(ValueError, match=f"cabin has {n} and needs 39.*too_small='pool'"):
        subgroup_thresholds(y, s, where, max_fpr=0.1)
    enough = float(str(_message(y, s, where, max_fpr=0.1)).split("ask for max_fpr=")[1][:5])
    subgroup_thresholds(y, s, where, max_fpr=enough)  # what it advises can be had
    with pytest.raises(ValueError, match="too few positives.*ask for min_tpr="):
        subgroup_thresholds(y, s, where, min_tpr=0.9)
    no_positives = np.where(where == "cabin", 0, y)
    message = str(_message(no_positives, s, where, min_tpr=0.6))
    assert "cabin has 0" in message and "ask for" not in message


def _message(*rows, **limit):
    with pytest.raises(ValueError) as error:
        subgroup_thresholds(*rows, **limit)
    return error.value


def test_small_subgroups_share_a_threshold():
    y, s, where = clinics()
    result = subgroup_thresholds(y, s, where, max_fpr=0.1, too_small="pool")
    assert result.pooled == ("south", "cabin")  # the cabin alone has no partner but the smaller one
    assert [row["subgroup"] for row in result.rows] == ["north", "south + cabin"]
    both = where != "north"
    pooled = fpr_threshold(y[both], s[both], 0.1, confidence_level=0.975)
    assert result.thresholds["south"] == result.thresholds["cabin"] == pooled
    assert result.too_small == ("cabin",)
    notes = " ".join(result.sentences())
    assert "Too small for a separate threshold: cabin. Large enough, but pooled" in notes
    assert "even together: south. The pooled subgroups" in notes
    assert "holds for them together" in notes and "need not divide the error" in notes
    # which are pooled depends on counts, never on scores
    other = subgroup_thresholds(y, -s, where, max_fpr=0.1, too_small="pool")
    assert other.pooled == result.pooled
    few = np.r_[np.flatnonzero(y == 0)[:40], np.flatnonzero(y == 1)[:5]]
    alone = subgroup_thresholds(y[few], s[few], where[few], max_fpr=0.1, too_small="pool")
    assert set(alone.thresholds.values()) == {alone.common} == {alone.strictest}
    assert not any("divide" in sentence for sentence in alone.sentences())  # one line only
    with pytest.raises(ValueError, match="needs at least 299 negatives"):
        subgroup_thresholds(y[few], s[few], where[few], max_fpr=0.01, too_small="pool")


def test_the_change_is_the_share_between_the_thresholds():
    y, s, where = clinics()
    result = subgroup_thresholds(y, s, where, max_fpr=0.3)
    y2, s2, where2 = clinics(1)
    effects = result.evaluate(y2, s2, where2, confidence_level=0.9)
    for name in ("north", "south"):
        low, high = sorted((result.common, result.thresholds[name]))
        sign = 1 if result.thresholds[name] < result.common else -1
        for measure, label in (("TPR", 1), ("FPR", 0)):
            scores = s2[(where2 == name) & (y2 == label)]
            test = binomtest(int(((scores >= low) & (scores < high)).sum()), scores.size)
            ends = test.proportion_ci(1 - 0.1 / 4)  # three subgroups and all cases
            change = effects.row(name, measure)["change"]
            expected = sorted((sign * ends.low, sign * ends.high))
            assert change == pytest.approx((sign * test.statistic, *expected), abs=1e-9)
    assert any(text.startswith("Fewer false alarms in: south") for text in effects.sentences())
    assert "the 4 intervals of a measure in a column" in " ".join(effects.sentences())


def test_an_equal_threshold_changes_nothing_and_a_rare_one_may():
    y, s, where = clinics()
    result = subgroup_thresholds(y, s, np.repeat("all", y.size), max_fpr=0.1)
    y2, s2, _ = clinics(1)
    change = result.evaluate(y2, s2, np.repeat("all", y.size)).row("all", "FPR")["change"]
    assert tuple(change) == (0, 0, 0)
    separate = subgroup_thresholds(y, s, where, max_fpr=0.3)
    beyond = np.where(y2 == 1, 50.0, -50.0)  # no score between the thresholds
    change = separate.evaluate(y2, beyond, where).row("south", "FPR")["change"]
    assert change.value == 0 and change.low < 0 == change.high


def test_what_is_too_small_to_evaluate_is_named():
    y, s, where = clinics()
    result = subgroup_thresholds(y, s, where, max_fpr=0.3)
    few = np.r_[:200, np.flatnonzero(where == "cabin")[:3]]
    effects = result.evaluate(y[few], s[few], where[few], miss_cost=2, alarm_cost=1)
    assert "cabin" in effects.too_small and "cabin" in effects.sentences()[-1]
    with pytest.raises(KeyError, match="cabin"):
        effects.row("cabin", "TPR")
    assert "cost per case" in repr(effects) and "<table>" in effects._repr_html_()
    assert "south" in result._repr_html_()
    assert len(effects.plot()) == 2


def test_bad_input():
    y, s, where = clinics()
    for settings, message in (
        ({}, "either max_fpr= or min_tpr="),
        ({"max_fpr": 0.1, "min_tpr": 0.5}, "either max_fpr= or min_tpr="),
        ({"max_fpr": 1.0}, "max_fpr"),
        ({"max_fpr": 0.1, "too_small": "drop"}, "too_small"),
        ({"max_fpr": 0.1, "confidence_level": 1}, "confidence_level"),
    ):
        with pytest.raises(ValueError, match=message):
            subgroup_thresholds(y, s, where, **settings)
    result = subgroup_thresholds(y, s, where, max_fpr=0.3)
    with pytest.raises(ValueError, match=r"no threshold for the subgroup 'east'.*\.strictest"):
        result.predict([1.0], ["east"])
    with pytest.raises(ValueError, match="both miss_cost= and alarm_cost="):
        result.evaluate(y, s, where, miss_cost=1)
    with pytest.raises(ValueError, match="single"):
        result.evaluate(y, s, where, single="best")


def test_frames_of_thresholds_and_of_what_they_change():
    y, s, where = clinics()
    result = subgroup_thresholds(y, s, where, max_fpr=0.3)
    frame = result.to_frame()
    assert frame["threshold"].to_dict() == result.thresholds
    effects = result.evaluate(y, s, where)
    frame = effects.to_frame()
    assert frame.index.names == ["subgroup", "measure"] and len(frame) == len(effects.rows)
    change = effects.row("south", "FPR")["change"]
    shown = frame.loc[("south", "FPR"), ["change", "change low", "change high"]]
    assert tuple(shown) == tuple(change)
    assert np.isnan(frame.loc[("south", "precision"), "change"])
