"""Writes the table of measured ratios in paper/paper.md, from the last run of the benchmarks.

python tools/paper.py
"""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
# what is done, row of the benchmarks, how the other side is called
ROWS = [
    ("area under the curve, 100 000 scores", "roc_auc / scikit-learn", "scikit-learn"),
    ("partial area, 100 000 scores", "partial_auc(0, .1) / scikit-learn max_fpr", "scikit-learn"),
    (
        "curve with every threshold, 100 000 scores",
        "roc_curve, every threshold / scikit-learn",
        "scikit-learn",
    ),
    ("DeLong's interval, 100 000 scores", "auc_interval / pROC's ci.auc (DeLong)", "pROC"),
    ("DeLong's paired test, 100 000 scores", "paired auc_test / pROC's roc.test (DeLong)", "pROC"),
    ("isotonic fit, 100 000 scores", "PAVCalibrator.fit / IsotonicRegression.fit", "scikit-learn"),
    (
        "curves of 12 columns, 20 000 rows",
        "AdditiveRanker() fit / ExplainableBoostingClassifier(interactions=0)",
        "interpret",
    ),
    (
        "forest, 20 000 rows",
        "TreeRankForest() / RandomForestClassifier(max_depth=20)",
        "scikit-learn",
    ),
    (
        "linear ranker for FPR up to .1, 100 000 rows",
        "PartialAUCSVM(0, .1), C = 10 / LinearSVC(dual=False)",
        "scikit-learn",
    ),
]


def table():
    """The ratios that were measured, as Markdown."""
    found = {}
    for row in json.loads((ROOT / "nbs/results/speed.json").read_text(encoding="utf8"))["rows"]:
        found.setdefault(row["name"], {})[row["n"]] = row["ratio"]
    lines = ["| job | beside | times as fast |", "|:--|:--|--:|"]
    for job, name, peer in ROWS:
        if name in found:
            sizes = found[name]
            lines.append(
                f"| {job} | {peer} | {sizes[min(sizes, key=lambda n: abs(n - 10**5))]:.2g} |"
            )
    return "\n".join(lines)


if __name__ == "__main__":
    path = ROOT / "paper/paper.md"
    marks = r"(<!-- table -->\n).*?(<!-- /table -->)"
    text = re.sub(
        marks, lambda m: f"{m[1]}{table()}\n{m[2]}", path.read_text(encoding="utf8"), flags=re.S
    )
    path.write_text(text, encoding="utf8")
