"""`make bench`: no ratio without a comparison, an error where the two sides differ, goals with their history."""

import re
from pathlib import Path

import numpy as np
import pytest

from benchmarks import harness
from benchmarks.compare import as_accurate, equal
from benchmarks.harness import DifferentResultsError, Goal

PAGE = Path(__file__).parents[2] / "nbs/evidence/speed.ipynb"


def test_numbers_that_differ_are_named():
    words = equal(
        lambda: (np.array([1.0, np.inf]), 2.0), lambda: (np.array([1.0, np.inf]), 2.0 + 1e-12)
    )()
    assert words.startswith("equal to within")
    for other in (2.001, np.nan):
        with pytest.raises(DifferentResultsError, match="equal to within"):
            equal(lambda: 2.0, lambda other=other: other)()
    with pytest.raises(DifferentResultsError, match="shapes"):
        equal(lambda: np.ones(2), lambda: np.ones(3))()


class Fixed:
    """A fitted model with these scores."""

    def __init__(self, scores):
        self.scores = np.array(scores, float)

    def decision_function(self, X):
        return self.scores


def test_a_learner_that_ranks_worse_is_named():
    y = [0, 0, 1, 1]
    good = Fixed([1, 2, 3, 4])
    worse = Fixed([1, 3, 2, 4])
    assert (
        as_accurate(lambda: good, lambda: worse, None, y, 0.0)()
        == "test AUC 1.0000, peer 0.7500, allowed 0 less"
    )
    with pytest.raises(DifferentResultsError, match="0.7500"):
        as_accurate(lambda: worse, lambda: good, None, y, 0.2)()


def test_what_differs_or_is_not_compared_has_no_ratio(monkeypatch):
    monkeypatch.setattr(harness, "register_rows", lambda: None)
    monkeypatch.setattr(harness, "ROWS", [])
    harness.row("differs / peer", 1, [1])(lambda n: (int, int, equal(lambda: 1.0, lambda: 2.0)))
    harness.row("agrees / peer", 1, [1])(lambda n: (int, int, equal(lambda: 1.0, lambda: 1.0)))
    harness.row("is not compared / peer", 1, [1])(lambda n: (int, int))
    assert "different" in harness.compared_and_measured("differs / peer", 1, 0.01)
    assert {"ratio", "compared"} <= set(harness.compared_and_measured("agrees / peer", 1, 0.01))
    with pytest.raises(ValueError, match="unpack"):
        harness.compared_and_measured("is not compared / peer", 1, 0.01)


def test_a_goal_remembers():
    goal = Goal(0.5, was=[(0.8, "not reached")])
    assert (
        goal == 0.5 and goal.was == [{"goal": 0.8, "because": "not reached"}] and Goal(2).was == []
    )


def test_every_row_has_a_topic_on_the_page():
    harness.register_rows()
    patterns = re.findall(r'\\"(\^[^"\\]*(?:\|[^"\\]*)*)\\",\\n', PAGE.read_text(encoding="utf8"))
    assert len(patterns) == 6
    for name, *_ in harness.ROWS:
        assert any(re.search(pattern, name) for pattern in patterns), name
