"""Decision curves against dcurves: stored values, and the package where it is installed.

The stored values are those of dcurves 1.1.7 (PyPI), `dca(data, outcome, modelnames, thresholds, prevalence=)`, its columns
`net_benefit` and `net_intervention_avoided`, printed with eight digits; the data are those of `decision_problems.py`.
"""

import numpy as np
import pytest
from decision_problems import decision_problem
from scipy.special import expit

from aucbook import decision_curve, net_benefit

# {(data, prevalence): {model: (net benefit, interventions avoided) at the thresholds}}
STORED = {
    ("issue", None): {
        "p1": ([0.16213152, 0.10818713, 0.05555556, 0.0], [-7.72222222, -3.61111111, -1.83333333, -0.11111111]),
        "age": ([0.29195011, 0.25, 0.16975309, 0.0], [-1.36111111, -0.91666667, -0.80555556, -0.11111111]),
        "all": ([0.31972789, 0.29824561, 0.25925926, 0.04761905], [0, 0, 0, 0]),
    },
    ("issue", 0.1): {
        "p1": ([0.04387755, 0.02938596, 0.01666667, 0.0], [-1.85, -0.44166667, 0.15, 0.66666667]),
        "age": ([0.07329932, 0.04583333, -0.00416667, -0.0875], [-0.40833333, -0.12916667, -0.0375, 0.4625]),
        "all": ([0.08163265, 0.05263158, 0.0, -0.28571429], [0, 0, 0, 0]),
    },
    ("biopsies", None): {
        "radius": ([0.34390898, 0.28705331, 0.26010545, 0.17926186], [0.08260105, 0.37082601, 0.51493849, 0.60593634]),
        "texture": ([0.33956156, 0.21031049, 0.10369069, -0.09841828], [0.0, 0.14059754, 0.35852373, 0.57508299]),
        "all": ([0.33956156, 0.16344464, -0.25483304, -5.2741652], [0, 0, 0, 0]),
    },
    ("biopsies", 0.02): {
        "radius": ([-0.00888389, -0.03407202, -0.02314835, -0.01423418], [0.43120607, 0.81778394, 0.93685165, 0.9761962]),
        "texture": ([-0.03157895, -0.21225798, -0.21444691, -0.1722808], [0.0, 0.28322605, 0.74555309, 0.95863547]),
        "all": ([-0.03157895, -0.30666667, -0.96, -8.8], [0, 0, 0, 0]),
    },
}  # fmt: skip


def assert_same(y, models, thresholds, prevalence, theirs, tolerance):
    """theirs: {model: (net benefit, interventions avoided)}, "all" for treating everybody."""
    ours = decision_curve(
        y, models, thresholds, prevalence=prevalence, n_resamples=5, random_state=0
    )
    assert theirs.keys() == {*models, "all"}
    for curve in ours.curves.values():
        np.testing.assert_allclose(curve.treat_all, theirs["all"][0], atol=tolerance)
    for model, p in models.items():
        benefit, avoided = theirs[model]
        curve = ours.curves[model]
        np.testing.assert_allclose(curve.net_benefit, benefit, atol=tolerance)
        # net benefit times (1 - threshold) / threshold, up to 49
        np.testing.assert_allclose(curve.interventions_avoided(), avoided, atol=50 * tolerance)
        alone = net_benefit(y, p, thresholds, prevalence=prevalence)
        np.testing.assert_allclose(alone, benefit, atol=tolerance)


@pytest.mark.parametrize("name, prevalence", STORED)
def test_as_stored(name, prevalence):
    y, models, thresholds = decision_problem(name)
    assert_same(y, models, thresholds, prevalence, STORED[name, prevalence], 1e-8)


@pytest.mark.filterwarnings("ignore")  # of pandas, about the peer's code
@pytest.mark.parametrize("prevalence", [None, 0.07])
@pytest.mark.parametrize("name", ["issue", "biopsies", "random"])
def test_as_dcurves_says_today(name, prevalence):
    dca = pytest.importorskip("dcurves").dca
    pd = pytest.importorskip("pandas")
    if name == "random":
        rng = np.random.default_rng(0)
        y = rng.integers(0, 2, 300)
        models = {f"model {k}": expit(rng.normal(size=300) + k * (y - 0.5)) for k in range(3)}
        thresholds = [0.03, 0.1, 0.25, 0.6]
    else:
        y, models, thresholds = decision_problem(name)
    table = pd.DataFrame({"event": np.asarray(y), **models})
    printed = dca(table, "event", [*models], thresholds=thresholds, prevalence=prevalence)
    theirs = {}
    for model in [*models, "all"]:
        rows = printed[printed.model == model].sort_values("threshold")
        theirs[model] = rows.net_benefit.to_numpy(), rows.net_intervention_avoided.to_numpy()
    assert_same(y, models, thresholds, prevalence, theirs, 1e-12)
