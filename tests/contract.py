"""scikit-learn's contract, all of its checks in one case for each distinct estimator: which of them it breaks, and what they say."""

import warnings

from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import check_estimator


def broken(estimator: BaseEstimator, expected: dict[str, str] | None = None) -> dict[str, str]:
    """{check: what it said} of every check that fails, but for those expected to ({check: why}).

    Warnings are ignored: some checks fit constant data or pure noise on purpose.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        told = check_estimator(
            estimator, expected_failed_checks=expected, on_skip=None, on_fail=None
        )
    assert len(told) > 40, "scikit-learn gave fewer checks than it has"
    return {one["check_name"]: repr(one["exception"]) for one in told if one["status"] == "failed"}
