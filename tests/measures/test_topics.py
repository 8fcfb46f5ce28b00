"""topics: means over topics, and paired tests, against SciPy and each topic's own value."""

import numpy as np
import pytest
from scipy.stats import ttest_1samp, ttest_rel

from aucbook import AP, AUC, PAUC, Brier, Precision, average_precision
from aucbook.measures import TopicMean, topic_mean, topic_test

RNG = np.random.default_rng(0)
N = 400
TOPICS = RNG.choice(list("abcdefgh"), N)
Y = (RNG.random(N) < 0.3).astype(int)
FIRST = (Y + RNG.normal(size=N)).round(1)  # with ties
SECOND = Y + 2 * RNG.normal(size=N)
MEASURES = [AP, AUC, PAUC(max_fpr=0.2), Precision(k=10), "ap", "precision(10)"]


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_mean_and_interval(measure):
    result = topic_mean(Y, FIRST, TOPICS, measure, confidence_level=0.9)
    assert isinstance(result, TopicMean) and result.topics == sorted(set(TOPICS))
    assert result.estimate == pytest.approx(result.values.mean())
    ends = ttest_1samp(result.values, 0).confidence_interval(0.9)
    np.testing.assert_allclose([result.low, result.high], np.clip(ends, 0, 1))


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_paired_test(measure):
    result = topic_test(Y, FIRST, SECOND, TOPICS, measure)
    expected = ttest_rel(*result.values)
    assert result.pvalue == pytest.approx(expected.pvalue)
    assert result.statistic == pytest.approx(expected.statistic)
    np.testing.assert_allclose([result.low, result.high], expected.confidence_interval(0.95))
    assert (result.pvalue < 0.05) == (result.low > 0 or result.high < 0)
    np.testing.assert_array_equal(result.values[0], topic_mean(Y, FIRST, TOPICS, measure).values)
    swapped = topic_test(Y, SECOND, FIRST, TOPICS, measure)
    assert swapped.difference == -result.difference and swapped.pvalue == result.pvalue


def test_values_are_those_of_the_rows_of_a_topic():
    result = topic_mean(Y, FIRST, TOPICS)
    for name, value in zip(result.topics, result.values):
        rows = name == TOPICS
        assert value == average_precision(Y[rows], FIRST[rows])


def test_scores_are_compared_within_topics_only():
    shift = {name: 100.0 * i for i, name in enumerate(sorted(set(TOPICS)))}
    shifted = FIRST.round(1) + np.array([shift[name] for name in TOPICS])
    np.testing.assert_allclose(
        topic_mean(Y, shifted.round(1), TOPICS).values, topic_mean(Y, FIRST, TOPICS).values
    )


def test_labels_names_and_the_positive_class():
    words = np.where(Y == 1, "relevant", "other")
    result = topic_mean(words, FIRST, TOPICS, pos_label="relevant")
    np.testing.assert_array_equal(result.values, topic_mean(Y, FIRST, TOPICS).values)
    numbers = np.unique(TOPICS, return_inverse=True)[1]
    np.testing.assert_array_equal(topic_mean(Y, FIRST, numbers).values, result.values)
    other = topic_mean(words, -FIRST, TOPICS, pos_label="other")
    assert other.estimate > result.estimate  # the more frequent class


def test_topics_of_one_class_are_left_out():
    one_class = np.where(TOPICS == "a", 0, np.where(TOPICS == "b", 1, Y))
    with pytest.warns(UserWarning, match="2 of 8 topics have rows of one class only: left out"):
        result = topic_mean(one_class, FIRST, TOPICS)
    assert result.n_left_out == 2 and result.topics == list("cdefgh")
    with pytest.warns(UserWarning, match="left out"):
        test = topic_test(one_class, FIRST, SECOND, TOPICS)
    assert test.values.shape == (2, 6) and test.n_left_out == 2


def test_equal_values():
    with pytest.warns(UserWarning, match="all 8 topics have the same value"):
        perfect = topic_mean(Y, Y, TOPICS)
    assert 0.5 < perfect.low < 1 == perfect.estimate == perfect.high
    with pytest.warns(UserWarning, match="same value in all 8 topics"):
        same = topic_test(Y, FIRST, FIRST, TOPICS)
    assert (same.difference, same.low, same.high, same.pvalue, same.statistic) == (0, 0, 0, 1, 0)
    y, topics = [0, 1, 0, 1], [1, 1, 2, 2]
    with pytest.raises(ValueError, match="all 2 topics have the same difference, 1"):
        topic_test(y, y, [1, 0, 1, 0], topics, "auc")


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((Y, FIRST, ["q"] * N), "topics: 1 of 1 have both classes"),
        ((Y, FIRST, TOPICS[:9]), "topics must be 400 names"),
        ((Y, FIRST, [None, *TOPICS[1:]]), "topics"),
        ((Y, FIRST, TOPICS, Precision(k=100)), "topic 'a': "),
        ((Y, FIRST, TOPICS, "map"), "unknown measure 'map'"),
        ((Y, FIRST, TOPICS, [AP, AUC]), "measure must be a single measure"),
        ((Y, FIRST, TOPICS, Brier), r"y_score must lie in \[0, 1\]"),
    ],
)
def test_messages(arguments, message):
    with pytest.raises(ValueError, match=message):
        topic_mean(*arguments)
    with pytest.raises(ValueError, match="confidence_level"):
        topic_mean(Y, FIRST, TOPICS, confidence_level=95)


def test_results_are_short():
    assert len(repr(topic_mean(Y, FIRST, TOPICS))) < 600
    assert "<table" in topic_test(Y, FIRST, SECOND, TOPICS)._repr_html_()


def test_the_test_keeps_its_level():
    """Two equally good scores of skewed topics: about 5 % of p-values below 5 %."""
    rng = np.random.default_rng(2)
    topics = np.repeat(np.arange(12), 12)
    y = np.tile([1, 1, 1, *[0] * 9], 12)
    below = 0
    for _ in range(150):
        difficulty = np.repeat(rng.exponential(size=12), 12)
        scores = y * difficulty + rng.normal(size=(2, 144))
        below += topic_test(y, *scores, topics).pvalue < 0.05
    assert below / 150 < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 150)
