"""Measures chosen by a name: their numbers, and what is said of names that mean nothing."""

import re

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, log_loss

from aucbook.measures import MEASURE_NAMES, check_measures, measure_of

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, 60)
P = np.clip(0.3 * Y + 0.6 * RNG.random(60), 0, 1)
WEIGHTS = RNG.integers(1, 4, 60)
NUMBERS = {
    "partial_auc": ":0,0.1",
    "two_way_auc": ":0.4,0.4",
    "tpr_at_fpr": ":0.1",
    "precision_at_k": ":5",
    "recall_at_k": ":5",
    "lift_at_k": ":0.1",
    "enrichment_factor": ":0.1",
}


@pytest.mark.parametrize(("name", "peer"), [("brier", brier_score_loss), ("log_loss", log_loss)])
def test_probabilities_are_scored_as_scikit_learn_does(name, peer):
    measure = measure_of(name)
    assert measure.compute(Y, P) == pytest.approx(peer(Y, P), abs=1e-12)
    assert measure.compute(Y, P, WEIGHTS) == pytest.approx(peer(Y, P, sample_weight=WEIGHTS), abs=1e-12)
    assert not measure.larger


@pytest.mark.parametrize("name", MEASURE_NAMES)
def test_every_name_gives_a_number(name):
    assert np.isfinite(measure_of(name + NUMBERS.get(name, "")).compute(Y, P))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("area", "unknown metric 'area'; there are: roc_auc"),
        ("partial_auc:0,much", "metric 'partial_auc:0,much': 'much' is no number"),
        ("partial_auc:0,0.1,0.2", "write partial_auc:"),
        ("roc_auc:1", "write roc_auc alone"),
        ("precision_at_k:0", "k must be at least 1 row"),
        ("partial_auc:0.5,0.1", "alpha"),
    ],
)
def test_names_that_mean_nothing(name, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        measure_of(name)


def test_more_rows_than_a_fold_has():
    with pytest.raises(ValueError, match="precision_at_k:100"):
        check_measures(["precision_at_k:100"], 20)
