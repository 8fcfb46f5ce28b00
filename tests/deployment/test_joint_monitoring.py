"""Several monitors with one error probability: their own wealth, names, periods, updates, sentences, the command line."""

import pickle

import numpy as np
import pytest

from aucbook.deployment import CalibrationMonitor, JointMonitor, Monitor

WATCHED = [Monitor("fpr", bound=0.12), Monitor("tpr", bound=0.6), CalibrationMonitor()]


def log_of(months, n=80, shift=0.0, since=0, seed=0):
    """Arguments of an update: months of cases whose scores are higher from a month on."""
    rng = np.random.default_rng(seed)
    month = np.repeat(np.arange(months), n)
    y = (rng.random(month.size) < 0.3).astype(int)
    score = rng.normal(2 * y + shift * (month >= since), 1)
    p = 1 / (1 + np.exp(-(np.log(0.3 / 0.7) + 2 * score - 2)))
    return {"labels": y, "alarms": (score > 1.4) * 1, "probabilities": p, "batches": month}


def test_each_wealth_is_that_of_the_monitor_and_the_evidence_their_mean():
    log = log_of(12)
    joint = JointMonitor(WATCHED).update(**log)
    fpr = Monitor("fpr", bound=0.12).update(log["labels"], log["alarms"], batches=log["batches"])
    np.testing.assert_array_equal(joint.monitors["fpr"].wealth, fpr.wealth)
    wealth = [monitor.wealth for monitor in joint.monitors.values()]
    np.testing.assert_allclose(joint.wealth, np.mean(wealth, axis=0))
    assert WATCHED[0].batches == [] and not joint.raised  # the settings alone were used
    # intervals hold together: each has its part of the error
    each = Monitor("fpr", bound=0.12, confidence_level=1 - 0.05 / 3)
    each.update(log["labels"], log["alarms"], batches=log["batches"])
    assert (joint.monitors["fpr"].low, joint.monitors["fpr"].high) == (each.low, each.high)


def test_one_monitor_alone_is_that_monitor():
    log = log_of(30, shift=0.8, since=12)
    rows = log["labels"], log["alarms"]
    joint = JointMonitor([Monitor("fpr", bound=0.12)]).update(*rows, batches=log["batches"])
    alone = Monitor("fpr", bound=0.12).update(*rows, batches=log["batches"])
    change = joint.named["fpr"]
    assert joint.raised and joint.at == alone.at == change.at
    ends = change.since, change.since_low, change.since_high
    assert ends == (alone.since, alone.since_low, alone.since_high)


def test_batch_by_batch_is_the_same_and_it_pickles():
    log = log_of(30, shift=0.8, since=12)
    once = JointMonitor(WATCHED).update(**log)
    joint = JointMonitor(WATCHED)
    for month in range(30):
        here = log["batches"] == month
        joint.update(
            *(log[name][here] for name in ("labels", "alarms", "probabilities")), batches=month
        )
        joint = pickle.loads(pickle.dumps(joint))
    assert joint.named == once.named and set(once.named) == {"fpr", "calibration"}
    assert (joint.raised, joint.at) == (once.raised, once.at)
    assert once.named["calibration"].form == "too high"
    assert all(change.since_low <= 12 <= change.since_high for change in once.named.values())
    np.testing.assert_allclose(joint.wealth, once.wealth)
    text = repr(once)
    assert "at least one of 3 tests fails" in text and "named at" in text
    assert "the false positive rate is above 12.0%" in text
    assert "<table>" in once._repr_html_() and "unknown" in JointMonitor(WATCHED)._repr_html_()


def test_a_warning_may_come_before_a_name():
    # two wealths of about 30, and one of nearly none: their mean reaches 20, and one of them with the third does not
    labels = np.r_[np.zeros(40), np.ones(40)]
    for errors in range(8, 30):
        alarms = np.r_[np.arange(40) < errors, np.arange(40) >= errors]
        joint = JointMonitor(
            [Monitor("fpr", bound=0.2), Monitor("tpr", bound=0.8), Monitor("npv", bound=0.2)]
        )
        joint.update(labels, alarms, batches="May")
        wealth = [monitor.wealth[-1] for monitor in joint.monitors.values()]
        if joint.raised:
            break
    assert np.mean(wealth) >= 20 and wealth[0] == pytest.approx(wealth[1])
    assert bool(joint.named) == ((wealth[0] + wealth[2]) / 2 >= 20)
    if not joint.named:
        assert any("not established yet" in sentence for sentence in joint.sentences())


def test_the_share_of_alarms_is_no_part_of_the_mean():
    y = np.zeros(200)
    alarms = np.arange(200) % 3 == 0
    joint = JointMonitor([Monitor("fpr", bound=0.2), Monitor("alarm_rate", bound=0.2)])
    joint.update(y, alarms, batches="May")
    wealth = [monitor.wealth[-1] for monitor in joint.monitors.values()]
    assert wealth[0] == wealth[1] and joint.wealth[-1] == pytest.approx(wealth[0] / 2)
    both = JointMonitor(
        [Monitor("alarm_rate", bound=0.5), Monitor("alarm_rate", bound=0.1, direction="below")]
    ).update(None, alarms, batches="May")
    assert list(both.monitors) == ["alarm_rate above", "alarm_rate below"]


def test_labels_that_come_later():
    log = log_of(20)
    n = log["labels"].size
    keys = np.arange(n)
    joint = JointMonitor(WATCHED)
    joint.update(None, log["alarms"], log["probabilities"], keys=keys, batches="scored")
    assert joint.wealth[-1] == 1 and "without a label" in joint.sentences()[0]
    nothing = np.full(n, np.nan)
    joint.update(log["labels"], nothing, nothing, keys=keys, batches="labels")
    assert joint.monitors["fpr"].denominator == (log["labels"] == 0).sum()


@pytest.mark.parametrize(
    "rows, message",
    [
        (([0, 1], [0, 1]), "probabilities must be given"),
        (([0, 1], None, [0.1, 0.2]), "alarms must be given"),
        (([0, 1], [0, 2], [0.1, 0.2]), "alarms must hold 0 and 1"),
        (([0, 1], [0, 1], [0.1, 1.2]), "probabilities must lie between 0 and 1"),
        (([0, 1], [0, None], [0.1, 0.2]), "in row 1 one of them is missing"),
        (([0, 1, 2], [0, 1, 1], [0.1, 0.2, 0.3]), "labels must hold"),
        (([0, 1, 1], [0, 1], [0.1, 0.2]), "same length"),
    ],
)
def test_bad_rows_add_nothing(rows, message):
    joint = JointMonitor(WATCHED).update(**log_of(1))
    before = [monitor.cases for monitor in joint.monitors.values()]
    with pytest.raises(ValueError, match=message):
        joint.update(*rows, batches="bad")
    assert before == [monitor.cases for monitor in joint.monitors.values()]
    assert joint.batches == [0]


def test_bad_settings():
    with pytest.raises(ValueError, match="1 to 8"):
        JointMonitor([])
    with pytest.raises(TypeError, match="got str"):
        JointMonitor(["fpr"])
    with pytest.raises(ValueError, match="fpr above is watched twice"):
        JointMonitor([Monitor("fpr", bound=0.1), Monitor("fpr", bound=0.2)])
    with pytest.raises(ValueError, match="calibration is watched twice"):
        JointMonitor([CalibrationMonitor(), CalibrationMonitor(tolerance=0.1)])
    with pytest.raises(ValueError, match="confidence_level"):
        JointMonitor(WATCHED, confidence_level=1)
