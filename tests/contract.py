"""scikit-learn's estimator checks, all in one test for each distinct estimator: those that fail, with their messages."""

import warnings

from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import check_estimator


def broken(estimator: BaseEstimator, expected: dict[str, str] | None = None) -> dict[str, str]:
    """{check: its error} of every check that fails, except those that are expected to fail ({check: reason}).

    Warnings are ignored: some checks fit constant data or pure noise on purpose.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        checks = check_estimator(
            estimator, expected_failed_checks=expected, on_skip=None, on_fail=None
        )
    assert len(checks) > 40, "scikit-learn gave fewer checks than it has"
    return {
        one["check_name"]: repr(one["exception"]) for one in checks if one["status"] == "failed"
    }
