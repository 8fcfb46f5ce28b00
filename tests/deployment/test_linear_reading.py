"""The exact reading of linear models, in Python and in the report."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from aucbook import PartialAUCSVM, TableEncoder, cli, compare
from aucbook._tables.columns import to_table
from aucbook.deployment.linear_reading import LinearExplanation, is_linear

RNG = np.random.default_rng(0)
N = 400
TABLE = pd.DataFrame(
    {
        "age": RNG.normal(60, 12, N),
        "dose": np.where(RNG.random(N) < 0.1, np.nan, RNG.normal(5, 2, N)),
        "ward": RNG.choice(["a", "<b>", "c"], N),
    }
)
Y = (RNG.random(N) < 1 / (1 + np.exp(-(TABLE["age"] - 60) / 8))).astype(int).to_numpy()
RANKERS = {
    "line": make_pipeline(StandardScaler(), LogisticRegression()),
    "bare": LogisticRegression(max_iter=5000),
    "svm": PartialAUCSVM(max_fpr=0.3),
    "bayes": GaussianNB(),
}


@pytest.fixture(scope="module")
def result():
    return compare(TABLE, Y, RANKERS, max_fpr=0.3, cv=3)


@pytest.mark.parametrize("name", ["line", "bare", "svm"])
def test_the_reading_is_the_score(result, name):
    decision = result.decide(TABLE, name)
    assert decision.is_linear and decision.surrogate is None and decision.fidelity is None
    assert not [check for check in result.checks if check.code == "AB14"]
    explanation = decision.explanation()
    rows = to_table(TABLE, explanation.kinds)
    scores = decision.positive_scores(TABLE)
    assert sum(explanation.votes(rows).values()) + explanation.base == pytest.approx(
        scores, abs=1e-8
    )
    encoded = explanation.encoder.transform(rows)
    assert encoded @ explanation.coef + explanation.intercept == pytest.approx(scores, abs=1e-8)
    reasons = decision.reasons(TABLE.iloc[[3]], max_columns=99)
    assert sum(vote for *_, vote in reasons.votes) + reasons.base == pytest.approx(scores[3])
    assert reasons.fidelity is None and {name for name, *_ in reasons.votes} == set(TABLE.columns)
    assert ("odds ratio per unit" in explanation.cells()[0]) == (name != "svm")


def test_an_odds_ratio_is_that_of_one_more_unit():
    X = TABLE[["age"]].to_numpy()
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, Y)
    explanation = LinearExplanation(model)
    header, row = explanation.cells()
    more = model.decision_function([[61.0]]) - model.decision_function([[60.0]])
    assert float(row[header.index("odds ratio per unit")]) == pytest.approx(
        np.exp(more[0]), rel=1e-3
    )
    more = model.decision_function([[60 + X.std()]]) - model.decision_function([[60.0]])
    assert float(row[header.index("odds ratio per SD")]) == pytest.approx(np.exp(more[0]), rel=5e-3)
    assert f"log-odds {explanation.base:.4g}" in " ".join(explanation.sentences())
    assert model.decision_function(X.mean(axis=0)[None]) == pytest.approx(explanation.base)


def test_other_models_have_none(result):
    assert not result.decide(TABLE, "bayes").is_linear
    assert not is_linear(GaussianNB().fit(TABLE[["age"]], Y)) and not is_linear(TableEncoder())


def test_the_report_has_the_coefficients_and_no_surrogate(tmp_path, capsys):
    TABLE.assign(sick=Y).to_csv(tmp_path / "t.csv", index=False)
    words = ["--label", "sick", "--rankers", "logistic regression", "--cv", "3"]
    out = tmp_path / "out"
    assert cli.main(["compare", str(tmp_path / "t.csv"), *words, "--out", str(out)]) == 0
    page = (out / "report.html").read_text(encoding="utf8")
    assert "odds ratio per unit" in page and "surrogate" not in page.split("TRIPOD")[0]
    assert "ward = &lt;b&gt;" in page and "Baseline: a case with the mean" in page
    assert (out / "curves.svg").exists() and "AB14" not in capsys.readouterr().out
