"""Seeds of every kind, and whole numbers beyond the floats: a sentence that names the parameter, from every entry."""

import inspect

import numpy as np
import pytest
from discovery import SMALL_DATA, all_rankers, small

from aucbook import compare, default_rankers, fpr_threshold
from aucbook.calibration import reliability_curve
from aucbook.inference import signal_test
from aucbook.theory import make_binormal
from aucbook.thresholds import FprGuarantee

SEEDED = [
    name
    for name, cls in all_rankers().items()
    if "random_state" in inspect.signature(cls).parameters
]
BAD = ["x", -1, 0.5, True, {}, 10**400]
X, Y = SMALL_DATA


@pytest.mark.parametrize("seed", BAD, ids=lambda seed: repr(seed)[:12])
@pytest.mark.parametrize("name", SEEDED)
def test_a_ranker_refuses_what_is_no_seed(name, seed):
    with pytest.raises(ValueError, match="random_state must be None, a whole number") as error:
        small(name, random_state=seed).fit(X, Y)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("seed", BAD[:-1], ids=repr)
def test_functions_refuse_what_is_no_seed(seed):
    calls = (
        lambda: signal_test(X, Y, random_state=seed),
        lambda: make_binormal(random_state=seed),
        lambda: default_rankers(random_state=seed),
        lambda: compare(X, Y, random_state=seed),
        lambda: reliability_curve(Y, np.linspace(0.1, 0.9, 48), random_state=seed),
    )
    for call in calls:
        with pytest.raises(ValueError, match="random_state must be"):
            call()


def test_seeds_that_are_taken():
    for seed in (None, 3, np.int64(3), np.random.RandomState(3), np.random.default_rng(3)):
        small("MartiRank", random_state=seed).fit(X, Y)
        make_binormal(random_state=seed)
    first, second = (make_binormal(random_state=np.random.default_rng(3))[1] for _ in range(2))
    assert np.array_equal(first, second)


@pytest.mark.parametrize("huge", [10**400, -(10**400), 10**5000], ids=["1e400", "-1e400", "1e5000"])
def test_whole_numbers_beyond_the_floats(huge):
    calls = (
        lambda: fpr_threshold([0] * 40 + [1], list(range(41)), huge),
        lambda: FprGuarantee(0.1, huge),
        lambda: small("AUCBoost", n_estimators=huge).fit(X, Y),
        lambda: small("PartialAUCSVM", C=huge).fit(X, Y),
        lambda: small("AdditiveRanker", prior=huge).fit(X, Y),
        lambda: small("PartialAUCSVM", max_fpr=huge).fit(X, Y),
        lambda: signal_test(X, Y, n_resamples=huge),
    )
    for call in calls:
        with pytest.raises(ValueError) as error:
            call()
        assert len(str(error.value)) < 400
