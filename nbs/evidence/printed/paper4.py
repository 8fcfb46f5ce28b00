"""Paper 4, Clémençon and Vayatis: pictures without numbers, and formulas that can be computed on a tree."""

from functools import lru_cache

import numpy as np

from aucbook import TreeRank, roc_auc, roc_curve
from aucbook.theory import (
    Binormal,
    GaussianPair,
    adaptive_approximation,
    distance_to_optimum,
    make_gauss2d,
    make_separated,
)
from aucbook.trees import shake

from .row import EXACT, Row

# A row reads as a row.
# fmt: off
ROWS = []


@lru_cache
def tree():
    X, y = make_gauss2d(2000, random_state=0)
    return TreeRank(max_depth=7).fit(X, y), X, y


def true_area():
    model, X, y = tree()
    return roc_auc(y, model.decision_function(X))


def by_cuts(last_level):
    t = tree()[0].tree_
    return float(.5 + (t.gains[t.depth == 6] if last_level else t.gains).sum() / 2)


def trapezoids(missing):
    a, b, _ = tree()[0].curve_
    return float(((a[2:] - a[:-2]) * b[1:-1]).sum() / 2 + (missing and (1 - a[-2]) / 2))


on_tree = "a tree of depth 7, 2000 points"
sum_over, last_term = "all levels must be summed", "the last term, ½(1 − α), is missing"
for name, where, what, printed, wrong in (
        ("auc-last", "Section IV", "AUC of the tree by ½ + ½ Σ Λ over the last level, as printed",
         lambda: by_cuts(True), sum_over),
        ("auc-all", "Section IV", "the same over all levels", lambda: by_cuts(False), ""),
        ("trapezoids", "Section III-D, Remark 13", "AUC by the trapezoid sum as printed",
         lambda: trapezoids(False), last_term),
        ("trapezoids-all", "Section III-D, Remark 13", "the same with the last term", lambda: trapezoids(True), "")):
    ROWS.append(Row(f"p4-{name}", where, what, printed, true_area, EXACT, "rounding", on_tree,
                    wrong and f"an error in print: {wrong}", chapter="lessons/treerank", kind="consistency"))


def cut_error(as_printed):
    "Classification error by Remark 5 of the first cut, from its rates and the share of positives"
    model, X, y = tree()
    a, b, p = *roc_curve(y, TreeRank(max_depth=1).fit(X, y).decision_function(X))[:2], y.mean()
    return float(p * (1 - a[1]) + (1 - p) * b[1] if as_printed else p * (1 - b[1]) + (1 - p) * a[1])


def counted_error():
    model, X, y = tree()
    s = TreeRank(max_depth=1).fit(X, y).decision_function(X)
    return float(np.mean((s == s.max()) != y))


for name, what, printed, note in (
        ("remark5", "error of the first cut by p(1 − α) + (1 − p)β", lambda: cut_error(True),
         "an error in print: α and β changed places"),
        ("remark5-right", "the same by p(1 − β) + (1 − p)α", lambda: cut_error(False), "")):
    ROWS.append(Row(f"p4-{name}", "Remark 5", what, printed, counted_error, EXACT, "rounding",
                    "the tree's first cut", note, chapter="lessons/treerank", kind="consistency"))


def dent(model):
    "Area between the curve and its concave hull: zero for a concave curve"
    X, y = tree()[1:]
    curve = roc_curve(y, model.decision_function(X))
    return float(curve.hull().auc() - curve.auc())


ROWS += [
    Row("p4-concave", "Proposition 21", "area between a plain tree's curve and its hull, if it were concave", 0,
        lambda: dent(tree()[0]), EXACT, "rounding", on_tree,
        "a missing condition: axis cuts are not union stable", chapter="lessons/treerank",
        kind="consistency"),
    Row("p4-concave-shaken", "Section V-B", "the same after shaking", 0, lambda: dent(shake(tree()[0])),
        EXACT, "rounding", on_tree, chapter="lessons/pruning", kind="consistency")]


@lru_cache
def falls(column):
    "By what factor area (0) or gap (1) to ROC* fall from depth 5 to 6, and 6 to 7"
    d = [distance_to_optimum(Binormal(1), adaptive_approximation(Binormal(1), D))[column] for D in (5, 6, 7)]
    return d[0] / d[1], d[1] / d[2]


ROWS.append(Row("p4-fig1", "Figure 1", "a drawing: a curve and its corners", None, chapter="lessons/optimal_roc"))
for column, name, what, note in (
        (0, "area", "missing area", ""),
        (1, "sup", "largest gap", "a missing condition: the second derivative of Gaussians' curves is not bounded")):
    ROWS.append(Row(f"p4-prop15-{name}", "Proposition 15",
                    f"factor by which the {what} falls per level, by the order 2⁻²ᴰ", 4,
                    lambda c=column: falls(c)[1], lambda c=column: 2 * abs(falls(c)[1] - falls(c)[0]),
                    "a limit", "two Gaussians on a line", note, chapter="lessons/optimal_roc", kind="consistency"))


def toy(direction):
    "True AUC* and the mean AUC over ten trees of depth five on 1000 rows, judged on 20 000"
    T, t = make_separated(20_000, direction, 1.5, random_state=99)
    trees = (TreeRank(max_depth=5).fit(*make_separated(1000, direction, 1.5, random_state=seed)) for seed in range(10))
    return GaussianPair(1.5 * np.eye(5)[0]).auc, float(np.mean([roc_auc(t, m.decision_function(T)) for m in trees]))


ROWS.append(Row("p4-fig23", "Figures 2 and 3", "drawings: how to number and to read a tree", None,
                chapter="evidence/tree_results"))
for figure, case, direction in ((4, "i", "axis"), (5, "ii", "oblique")):
    ROWS.append(Row(f"p4-fig{figure}", f"Figure {figure}", f"case ({case}): the optimal AUC and that at depth five",
                    None, lambda d=direction: toy(d), note="at a distance of 1.5, which is not printed",
                    chapter="evidence/tree_results"))
