"""Explorable of DeLong's standard error: the influence of one patient on the AUC."""

import numpy as np

from ..cases import cases_of, class_counts, pair_grid, single_column
from ..base import (
    Explorable,
    Frame,
    bar,
    button,
    colour_key,
    fixed,
    label,
    legend,
    slider,
    svg,
    tag,
    upward_label,
)
from ..larger import lab_widget

MAX_PATIENTS = 16  # whose influences can be collected one by one
# The nine patients of the lesson on intervals: four ill, five well, one tie.
EXAMPLE_Y = [1, 1, 1, 1, 0, 0, 0, 0, 0]
EXAMPLE = [3.0, 5, 7, 8, 1, 2, 3, 4, 6]


def delong_explorer(y=None, scores=None):
    """Reweight one patient at a time, and record the influence on the AUC.

    The left panel shows all pairs, with each positive's share of wins A_i and each negative's
    share N_j. The right panel collects influences: the derivative of the AUC in the weight of a
    patient, (A_i - AUC) / m for a positive and (N_j - AUC) / n for a negative. Their variances
    make DeLong's standard error.

    Parameters
    ----------
    y : array-like of shape (n,), default None
        Labels of two classes: numbers, bools or strings.
    scores : array-like of shape (n,), default None
        Finite scores of one ranker. None, with y, for nine patients.

    Returns
    -------
    Explorable or LabWidget
        The figure, without influences. For more than 16 cases `aucbook.lab.pauc` over all false
        positive rates: the AUC with the interval that all influences together give. No picture
        can show the influence of one among so many.

    Raises
    ------
    ValueError
        For more than one column of scores, fewer than two of a class, unequal lengths, and NaN or
        infinite scores.

    See Also
    --------
    aucbook.inference.auc_interval : The confidence interval.
    aucbook.lab.difference : The difference of two rankers, for data of your own.

    Examples
    --------
    >>> from aucbook.explore import delong_explorer
    >>> delong_explorer()
    <explorable: Let one patient count more>
    """
    pos, neg, class_names = _checked(y, scores)
    m = pos.size
    n = neg.size
    if m + n > MAX_PATIENTS:
        _, columns, _ = cases_of(y, scores)
        return lab_widget("pauc", y, columns, min_fpr=0, max_fpr=1)
    wins = (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)
    auc = float(wins.mean())
    influence = np.r_[(wins.mean(1) - auc) / m, (wins.mean(0) - auc) / n]
    reach = 1.3 * float(abs(influence).max()) or 1.0
    grid = Frame(56, 40, 250, 250)
    ledger = Frame(30, 30, 318, 240, x=(-0.1, m + n + 0.5), y=(-reach, reach))
    place = [i + 0.5 + 0.4 * (i >= m) for i in range(m + n)]
    scores = [f"{v:.4g}" for v in np.r_[pos, neg]]
    kinds = [class_names[0]] * m + [class_names[1]] * n
    patients = [f"{kind}, {score}" for kind, score in zip(kinds, scores)]
    data = {
        "won": wins.tolist(),
        "words": class_names,
        "scores": scores,
        "grid": grid.json(),
        "ledger": ledger.json(),
        "place": place,
        "who": patients,
    }
    panels = [
        _pairs_panel(wins, scores[:m], scores[m:], class_names),
        _influence_panel(ledger, place, scores, m, class_names),
    ]
    controls = [
        slider("patient", "Patient", 1, m + n, 1, 1, patients[0]),
        slider("count", "Counts", 0, 2, 0.1, 1, "1.0 ×"),
        bar(button("reset", "Empty the ledger")),
    ]
    return Explorable(
        "delong",
        "Let one patient count more",
        panels,
        controls,
        f"AUC <b>{fixed(auc, 3)}</b>. Choose a patient, and let her count more or less than once.",
        data,
        above=legend(
            colour_key("blue-mid", "pair won"),
            colour_key("line", "tie ½"),
            colour_key("orange-wash", "lost ×"),
        ),
    )


def _checked(y, scores):
    """Return the scores of positives and of negatives, highest first, and the class names."""
    is_example = y is None and scores is None
    if is_example:
        y = EXAMPLE_Y
        scores = EXAMPLE
    y, columns, class_names = cases_of(y, scores)
    if is_example:
        class_names = ("ill", "well")
    s = single_column(columns)
    m, n = class_counts(y)
    if min(m, n) < 2:
        raise ValueError(
            f"y has {m} {class_names[0]} and {n} {class_names[1]}: at least two of each, so that "
            "one can be left out"
        )
    return np.sort(s[y == 1])[::-1], np.sort(s[y == 0])[::-1], class_names


def _pairs_panel(wins, positives, negatives, class_names):
    """Draw a cell for each pair, with the share of wins of each row and column."""
    m, n = wins.shape
    wide = 250 / n
    tall = 250 / m
    rows = [290 - (i + 0.5) * tall + 4 for i in range(m)]
    middles = [56 + (j + 0.5) * wide for j in range(n)]
    row_shares = [fixed(v) for v in wins.mean(1)]
    column_shares = [fixed(v) for v in wins.mean(0)]
    return svg(
        "All pairs, and each patient's share of them",
        f"{m} rows ({class_names[0]}, highest score at the bottom) by {n} columns "
        f"({class_names[1]}, highest score on the left). The share of blue in a row, A, is "
        f"{', '.join(row_shares)}; in a column, N, {', '.join(column_shares)}. All in all "
        f"it is the AUC, {fixed(wins.mean(), 3)}.",
        *pair_grid(wins, 56, 290, wide, tall),
        tag("rect", class_="chosen", rx=3),
        *(label(48, y, text, class_="row", anchor="end") for y, text in zip(rows, positives)),
        *(
            label(x, 308, text, class_="column", anchor="middle")
            for x, text in zip(middles, negatives)
        ),
        *(label(312, y, text, class_="A strong") for y, text in zip(rows, row_shares)),
        *(
            label(x, 33, text, class_="N strong", anchor="middle")
            for x, text in zip(middles, column_shares)
        ),
        label(312, 33, "A", class_="blue-ink strong"),
        label(44, 33, "N", class_="orange-ink strong", anchor="end"),
        label(181, 328, f"{class_names[1]}, highest score first", anchor="middle"),
        upward_label(14, 165, f"{class_names[0]}, highest score at the bottom"),
        height=336,
    )


def _influence_panel(ledger, place, scores, m, class_names):
    """Draw an empty place for the influence of each patient, the m positives first."""
    kinds = ["pos"] * m + ["neg"] * (len(place) - m)
    names = [
        (place[:m], class_names[0], "blue-ink strong"),
        (place[m:], class_names[1], "orange-ink strong"),
    ]
    return svg(
        "What each patient does to the AUC",
        f"A place for each of the {len(place)} patients, empty until that patient has counted more "
        "or less.",
        label(180, 18, "change of the AUC, per count", anchor="middle"),
        ledger.line([(ledger.xlim[0], 0), (ledger.xlim[1], 0)], "axis"),
        *(
            tag(
                "rect",
                x=ledger.x(at) - 9,
                y=ledger.y(0.0),
                width=18,
                height=0,
                class_=f"effect {kind}",
                stroke="none",
            )
            for at, kind in zip(place, kinds)
        ),
        *(
            label(ledger.x(at), 146, "?", class_="value halo small", anchor="middle")
            for at in place
        ),
        *(label(ledger.x(at), 288, text, anchor="middle") for at, text in zip(place, scores)),
        *(
            label(ledger.x(np.mean(places)), 306, name, class_=class_, anchor="middle")
            for places, name, class_ in names
        ),
        *(
            tag(
                "rect",
                x=ledger.x(at) - 13,
                y=30,
                width=26,
                height=264,
                class_="slot",
                fill="transparent",
            )
            for at in place
        ),
        height=336,
    )
