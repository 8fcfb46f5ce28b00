"""Calls of the command line that several tests make."""

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from aucbook import cli

LINE = make_pipeline(StandardScaler(), LogisticRegression())


def refused(capsys, call):
    """The one line of standard error of a call that ends with exit code 2."""
    assert cli.main(list(map(str, call))) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "Traceback" not in error
    return error


def use_rankers(monkeypatch, rankers):
    """`aucbook compare` trains these rankers in place of the default ones."""
    monkeypatch.setattr(
        "aucbook.default_rankers", lambda *arguments, **keywords: rankers, raising=False
    )


def compare_line(path, out):
    """`aucbook compare` of a table with logistic regression alone; `out`, its folder with a saved decision."""
    call = ["compare", path, "--label", "sick", "--cv", 3, "--guarantee", 0.3, "--out", out]
    with pytest.MonkeyPatch.context() as patch:
        use_rankers(patch, {"line": LINE})
        assert cli.main(list(map(str, call))) == 0
    return out
