"""Paper 3, Narasimhan and Agarwal: one table printed in full; the others on stand-in data, whose runs are stored."""

import json
from pathlib import Path

import numpy as np

from aucbook import partial_auc, roc_auc
from aucbook.theory import make_two_doctors

from .row import EXACT, Row

# A row reads as a row.
# fmt: off
ROWS = []


def doctors(measure, k):
    X, y = make_two_doctors()
    return float(measure(y, X[:, k]))


def head(y, s):
    return partial_auc(y, s, min_fpr=.1, max_fpr=.2)


for name, what, printed, measure, k in (("auc1", "AUC of f₁", .70, roc_auc, 0), ("auc2", "AUC of f₂", .60, roc_auc, 1),
                                        ("pauc1", "pAUC(.1, .2) of f₁", .25, head, 0),
                                        ("pauc2", "pAUC(.1, .2) of f₂", .50, head, 1)):
    ROWS.append(Row(f"p3-table1-{name}", "Table 1, Figure 3", what, printed, lambda m=measure, k=k: doctors(m, k),
                    EXACT, "rounding", chapter="lessons/roc"))

ROWS += [
    Row("p3-six", "Section 2", "negatives in Table 1, by the text", 6,
        lambda: float((make_two_doctors()[1] == 0).sum()), 0, "whole numbers", "",
        "an error in print: the table has five, and only five give its figures", chapter="lessons/roc"),
    Row("p3-figures", "Figures 1 and 2", "drawings of the area between α and β", None, chapter="lessons/roc")]

PRINTED = {
    ("table2", "0 to .1"): {"SVM_pAUC": 65.25, "SVM_AUC": 62.64, "ASVM": 63.80, "pAUCBoost": 43.89, "greedy": 8.33},
    ("table4", "0 to .1"): {"SVM_pAUC": 51.79, "SVM_AUC": 39.72, "ASVM": 44.51, "pAUCBoost": 48.65, "greedy": 47.33},
    ("table5", ".2s to .3s"): {"SVM_pAUC": 51.44, "SVM_AUC": 50.50, "pAUCBoost": 48.06, "greedy": 46.99}}
OTHER = {"table2": ("four targets", "other collections, other splits"),
         "table4": ("letter A; web pages; if there is a third number, these standardised", "not the protein pairs"),
         "table5": ("mammography", "not the challenge's X-rays")}

STORED = json.loads((Path(__file__).parents[2] / "results/pauc_tables.json").read_text())


def mean_of(table, method, key):
    "Mean over the splits in %, one number for each stand-in data set that has the method"
    sets = STORED[table]["sets"].values()
    return tuple(100 * float(np.mean(e["values"][key][method])) for e in sets if method in e["values"][key])


for (part, key), values in PRINTED.items():
    for method, printed in values.items():
        ROWS.append(Row(f"p3-{part}-{method.lower().replace('_', '-')}", part.replace("table", "Table "), method,
                        printed, lambda p=part, m=method, k=key: mean_of(p, m, k),
                        data=OTHER[part][0], note=OTHER[part][1], chapter="evidence/pauc_results",
                        kind="stand-in"))

RANGES = {"0 to 1/n": "first", "0 to 5/n": "five", "0 to .1": "tenth", "0 to 1": "all"}
TABLE3 = {("TD2004", "SVM_pAUC"): (16.74, 30.19, 70.51, 93.95), ("TD2004", "SVM_AUC"): (13.62, 23.39, 67.60, 93.38),
          ("TREC10", "SVM_pAUC"): (4.58, 7.47, 49.07, 89.23), ("TREC10", "SVM_AUC"): (3.85, 7.16, 50.69, 89.51)}

for (collection, method), values in TABLE3.items():
    for key, printed in zip(RANGES, values):
        ROWS.append(Row(f"p3-table3-{collection.lower()}-{method[4:].lower()}-{RANGES[key]}", "Table 3",
                        f"{collection}, {method}, {key}", printed, lambda m=method, k=key: mean_of("table3", m, k),
                        data="abstracts; web pages", note="there, queries", chapter="evidence/pauc_results",
                        kind="stand-in"))

CALLS = STORED["figure4"]["sets"]["w8a"]
TIMES = np.array(CALLS["time per call"])       # (values of β, splits), relative to β = 1
ROWS += [
    Row("p3-fig4-time", "Figure 4", "time of a most violated constraint, relative to β = 1: flat, so", 1,
        lambda: tuple(float(v) for v in TIMES.mean(1)),
        lambda: tuple(float(v) for v in 3 * TIMES.std(1, ddof=1) / np.sqrt(TIMES.shape[1])), "3 s.e. over the splits",
        "web pages, six values of β", "a loose word: similar, says the text; from run to run ours differs by a few hundredths",
        chapter="evidence/pauc_results", kind="stand-in"),
    Row("p3-fig4-calls", "Figure 4", "calls fall as β grows; change from each β to the next, at most", 0,
        lambda: tuple(float(v) for v in np.diff(np.mean(CALLS["calls"], 1))), 0, "a bound",
        "web pages, six values of β", relation="≤", chapter="evidence/pauc_results",
        kind="stand-in")]
