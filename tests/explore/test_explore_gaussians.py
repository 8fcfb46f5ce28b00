"""The explorable of the binormal model: its rates and its area are those of the two distributions."""

import pytest
from explorables import SENTENCE, static_sentence
from scipy.stats import norm

from aucbook.explore import gaussians_explorer
from aucbook.theory import binormal_auc

CUT = "input[name=cut]"
MEAN = "input[name=mu]"
DEVIATION = "input[name=sigma]"


def expected_sentence(mu, sigma, threshold):
    """The sentence about the model with this threshold."""
    tpr = 100 * norm.sf(threshold, mu, sigma)
    fpr = 100 * norm.sf(threshold)
    return (
        f"The threshold finds {tpr:.0f} % of the sick, with a false alarm for {fpr:.0f} % of the "
        f"healthy. The area under the curve is AUC = {binormal_auc(mu, sigma):.2f}."
    )


@pytest.mark.parametrize("model", [(1, 1, 1), (2.25, 3, 2), (0, 0.75, -4), (3, 1.5, 7)])
def test_it_starts_at_the_model(model):
    assert static_sentence(gaussians_explorer(*model)) == expected_sentence(*model)


@pytest.mark.parametrize(
    ("keys", "model"),
    [
        ([], (1, 1, 1)),
        ([(CUT, "ArrowRight")] * 4, (1, 1, 1.2)),
        ([(MEAN, "Home")], (0, 1, 1)),
        ([(MEAN, "End"), (DEVIATION, "End")], (3, 3, 1)),
        ([(CUT, "Home"), (DEVIATION, "Home")], (1, 0.75, -4)),
        ([(CUT, "End")], (1, 1, 7)),
    ],
)
def test_by_keyboard_it_is_the_model(drive, keys, model):
    sentence, tpr, fpr = drive(
        [*(["press", *key] for key in keys), SENTENCE, ["text", ".tpr"], ["text", ".fpr"]],
        gaussians_explorer(),
    )
    mu, sigma, threshold = model
    assert sentence == expected_sentence(*model)
    assert tpr == f"{norm.sf(threshold, mu, sigma):.2f}"
    assert fpr == f"{norm.sf(threshold):.2f}"


@pytest.mark.parametrize(
    "bad",
    [
        {"mu": -0.1},
        {"mu": 3.1},
        {"sigma": 0},
        {"sigma": float("nan")},
        {"threshold": float("inf")},
        {"threshold": "high"},
        {"mu": None},
    ],
)
def test_bad_input_is_refused(bad):
    (name,) = bad
    with pytest.raises(ValueError, match=f"{name} must be a number from"):
        gaussians_explorer(**bad)
