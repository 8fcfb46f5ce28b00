"""A whole comparison of a messy table beside the same folds fitted by hand in scikit-learn pipelines, scores compared before anything is timed.

The ranker is a quick one, a line, so that encoding, judging and keeping count are most of what is seen; slower ones bring the ratio nearer to 1.
"""

import contextlib
import io
import json
import tempfile
from pathlib import Path

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

from aucbook import cli, compare

from .compare import demand
from .harness import row


def mixed_table(n, seed=0):
    """(data frame n x 50 with a tenth missing, labels): 35 numbers, 12 categories, 3 dates."""
    import pandas as pd

    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.1).astype(int)
    columns = {f"number {j}": rng.normal(size=n) + 0.05 * j * y for j in range(35)}
    for j in range(12):
        columns[f"level {j}"] = rng.choice(
            np.array([f"level {i}" for i in range(3 + 2 * j)], object), n
        )
    for j in range(3):
        columns[f"date {j}"] = np.datetime64("2020-01-01") + rng.integers(0, 1500, n)
    frame = pd.DataFrame(columns)
    return frame.mask(rng.random(frame.shape) < 0.1), y


def days(frame):
    """Days since 1970."""
    return np.column_stack(
        [
            np.where(
                frame[c].isna(),
                np.nan,
                (frame[c] - np.datetime64("1970-01-01")) / np.timedelta64(1, "D"),
            )
            for c in frame
        ]
    )


def by_hand(frame, ranker):
    """The same encoding as a pipeline of scikit-learn's parts."""

    def of(word):
        return [name for name in frame if name.startswith(word)]

    def mend():
        return SimpleImputer(strategy="median", add_indicator=True)

    levels = make_pipeline(
        SimpleImputer(strategy="constant", fill_value=""),
        OneHotEncoder(
            handle_unknown="infrequent_if_exist",
            min_frequency=5,
            max_categories=20,
            sparse_output=False,
        ),
    )
    parts = [
        ("numbers", mend(), of("number")),
        ("dates", make_pipeline(FunctionTransformer(days), mend()), of("date")),
    ]
    return make_pipeline(ColumnTransformer([*parts, ("levels", levels, of("level"))]), ranker)


@row("compare: a messy table of 50 columns, 5 folds, beside pipelines by hand", 0.5, [20_000])
def messy(n):
    frame, y = mixed_table(n)
    ranker = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    folds = list(StratifiedKFold(5, shuffle=True, random_state=0).split(frame, y))

    def ours():
        return compare(frame, y, {"line": ranker}, cv=folds)

    def peer():
        scores, areas = np.empty(n), []
        for train, test in folds:
            model = by_hand(frame, ranker).fit(frame.iloc[train], y[train])
            scores[test] = model.decision_function(frame.iloc[test])
            areas.append(roc_auc_score(y[test], scores[test]))
        return scores, areas

    def same():
        found, (scores, areas) = ours(), peer()
        of_scores, of_areas = (
            float(np.max(np.abs(np.ravel(a) - b)))
            for a, b in ((found.scores["line"], scores), (found.values["line"], areas))
        )
        # columns in another order: a solver that stops at a gradient of 1e-4
        return demand(
            of_scores <= 1e-2 and of_areas <= 1e-3,
            f"out-of-fold scores equal to within {of_scores:.1g}, allowed .01; areas to within {of_areas:.1g}, allowed .001",
        )

    return ours, peer, same


@row("report: two scores of a million rows / pandas reads and writes them", 1, [10**6])
def scores_in_a_file(n):
    import pandas as pd

    rng = np.random.default_rng(0)
    y = (rng.random(n) < 0.3).astype(int)
    scores = {"first": y + rng.normal(size=n), "second": 0.8 * y + rng.normal(size=n)}
    folder = Path(tempfile.mkdtemp())
    path = folder / "scores.csv"
    pd.DataFrame({"label": y, **scores}).to_csv(path, index=False)
    line = ["report", str(path), "--label", "label", "--out", str(folder / "report")]

    def ours():
        with contextlib.redirect_stdout(io.StringIO()):
            demand(cli.main(line) == 0, "exit code 0")

    def peer():
        pd.read_csv(path).to_csv(folder / "again.csv", index=False)

    def same():
        ours()
        peer()
        written = pd.read_csv(folder / "report" / "scores.csv")
        again = pd.read_csv(folder / "again.csv")
        areas = json.loads((folder / "report" / "table.json").read_text())["rows"]
        demand(all((written[name] == again[name]).all() for name in scores), "equal scores")
        worst = max(abs(row["AUC"] - roc_auc_score(y, scores[row["ranker"]])) for row in areas)
        return demand(worst <= 1e-9, f"equal scores; areas to within {worst:.1g}, allowed 1e-9")

    return ours, peer, same
