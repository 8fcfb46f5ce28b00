"""Scorecard: the model's order in whole points, and the same answer from a database whatever the names."""

import sqlite3

import numpy as np
import pytest

from aucbook import AdditiveRanker, roc_auc
from aucbook.isotonic import Scorecard
from aucbook.isotonic.scorecard import merge_steps, quoted

NAMES = ['x"; DROP TABLE people; --', "it's", "order", "tab\tnew\nline", "täglich", "/* */", ""]


def fitted(d=7, n=400):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)).round(2)
    y = X[:, 0] - X[:, 1] + np.abs(X[:, 2]) + rng.logistic(size=n) > 0.5
    X[rng.random(X.shape) < 0.1] = np.nan
    X = pd.DataFrame(X, columns=NAMES[:d])
    return AdditiveRanker().fit(X, y), X, y


def test_a_database_gives_the_same_points():
    model, X, _ = fitted()
    card = model.scorecard()
    X.iloc[: card.edges[0].size, 0] = card.edges[0]  # on the edges
    base = sqlite3.connect(":memory:")
    table = 'people"; DROP TABLE people; --'
    base.execute(
        f"CREATE TABLE {quoted(table)} ({', '.join(quoted(name) + ' REAL' for name in X.columns)})"
    )
    rows = [[None if np.isnan(v) else v for v in row] for row in X.to_numpy()]
    base.executemany(f"INSERT INTO {quoted(table)} VALUES ({', '.join('?' * len(NAMES))})", rows)
    answers = [row[-1] for row in base.execute(card.sql(table))]
    assert answers == card.score(X).tolist()
    assert base.execute(f"SELECT count(*) FROM {quoted(table)}").fetchone() == (
        len(X),
    )  # still there


def test_points_follow_the_model():
    model, X, y = fitted()
    fine = model.scorecard(max_bins=255, points_to_double=2000)
    card = model.scorecard()
    f = model.decision_function(X)
    np.testing.assert_allclose(
        fine.score(X) * np.log(2) / 2000, f, atol=8 * np.log(2) / 4000
    )  # a half for each term
    assert all(points.size <= 8 for points in card.points)
    assert all(points.size == edges.size + 1 for points, edges in zip(card.points, card.edges))
    assert roc_auc(y, card.score(X)) > roc_auc(y, f) - 0.01
    assert sum(points.size + 1 for points in card.points) == len(card.rows)
    assert len(str(card).splitlines()) == len(card.rows) + 2  # a name with a new line takes none
    assert model.fit(X.to_numpy(), y).scorecard().names[:2] == ["x0", "x1"]


def test_steps_are_merged_where_that_costs_least():
    start, votes = merge_steps(np.array([0.0, 0.1, 2.0, 2.1, 5.0]), np.array([1.0, 3, 1, 1, 1]), 3)
    assert start.tolist() == [0, 2, 4]
    np.testing.assert_allclose(votes, [0.075, 2.05, 5.0])
    assert merge_steps(np.array([1.0]), np.array([4.0]), 8)[0].tolist() == [0]


def test_bad_names_and_tables():
    card = Scorecard(["a\0"], [np.array([])], [np.array([0])], [0], 0, 20)
    with pytest.raises(ValueError, match="code 0"):
        card.sql("people")
    with pytest.raises(ValueError, match="the card has 1 columns"):
        card.score([[1.0, 2.0]])


def test_a_notebook_shows_tables_whose_names_are_only_names():
    model, _, _ = fitted()
    card = Scorecard(
        ["<script>alert(1)</script>", "a & b"],
        [np.array([1.0])] * 2,
        [np.array([0, 1])] * 2,
        [0, 0],
        0,
        20,
    )
    html = card._repr_html_()
    assert "<script>" not in html and "&lt;script&gt;" in html and "a &amp; b" in html
    assert html.count("<tr>") == len(card.rows) + 2 == len(str(card).splitlines())
    curve = model.curve(0)
    html = curve._repr_html_()
    assert (
        html.count("<tr>") <= 14
        and f"{curve.votes[0]:.2f}" in html
        and f"{curve.votes[-1]:.2f}" in html
    )
    assert (
        "nan"
        not in AdditiveRanker(1).fit(np.c_[[0.0, 1, 2, 3]], [0, 0, 1, 1]).curve(0)._repr_html_()
    )
