"""compare: the same folds, the same answer for any number of jobs, files that say what was found."""
import csv

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from aucbook import compare, partial_auc, roc_auc

X, Y = make_classification(120, 4, random_state=0)
RANKERS = {"line": LogisticRegression(), "bayes": GaussianNB()}


class OnlyProbabilities(GaussianNB):
    "GaussianNB has no decision_function: the second column of predict_proba is its score."


def test_rows_are_means_over_folds():
    result = compare(X, Y, RANKERS, beta=0.3, cv=3)
    row = next(r for r in result.rows if r["ranker"] == "line")
    folds = [result.fold == k for k in range(3)]
    assert row["AUC"] == pytest.approx(np.mean([roc_auc(Y[f], result.scores["line"][f]) for f in folds]))
    assert row["pAUC sd"] == pytest.approx(np.std([partial_auc(Y[f], result.scores["line"][f], 0, 0.3) for f in folds], ddof=1))
    assert [r["pAUC"] for r in result.rows] == sorted((r["pAUC"] for r in result.rows), reverse=True)


def test_any_number_of_jobs_gives_the_same_answer():
    a, b = (compare(X, Y, RANKERS, cv=3, n_jobs=n) for n in (1, 2))
    assert all(np.array_equal(a.scores[k], b.scores[k]) for k in RANKERS)


def test_table_html_and_files(tmp_path, capsys):
    result = compare(X, np.where(Y == 1, "no", "yes"), {"<i>": OnlyProbabilities(), "bayes": GaussianNB()}, pos_label="no", cv=2, verbose=True)
    assert "4/4" in capsys.readouterr().err
    assert result.y.sum() == Y.sum() and "fit seconds" in str(result) and "pAUC" not in str(result)
    assert "&lt;i&gt;" in result._repr_html_() and "<td>" in result._repr_html_()
    folder = result.save(tmp_path / "a" / "b")
    rows = list(csv.DictReader(open(folder / "scores.csv")))
    np.testing.assert_array_equal([float(r["bayes"]) for r in rows], result.scores["bayes"])
    assert (folder / "roc.png").exists() and len(list(csv.DictReader(open(folder / "table.csv")))) == 2


def test_default_rankers_include_the_book_and_a_line():
    names = {row["ranker"] for row in compare(X, Y, cv=2).rows}
    assert names == {"logistic regression", "AUCBoost", "AUCBoost, vote"}


@pytest.mark.parametrize("change, word", [({"cv": 1}, "cv"), ({"cv": 100}, "rows of each class"), ({"rankers": {}}, "rankers is empty"), ({"beta": 0}, "alpha < beta"),
                                          ({"y": Y[:-1]}, "same length"), ({"X": np.full((120, 2), np.nan)}, "NaN"), ({"y": np.zeros(120)}, "two classes")])
def test_bad_input_is_named(change, word):
    with pytest.raises(ValueError, match=word):
        compare(**{"X": X, "y": Y, "rankers": RANKERS, **change})
