"""Explorable of DeLong's standard error: the influence of one patient on the AUC."""

import numpy as np

from ..cases import cases_of
from ..base import Explorable, Frame, bar, button, colour_key, fixed, label, slider, svg, tag

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
    y : array of shape (n,), default None
        Labels of two classes.
    scores : array of shape (n,), default None
        Finite scores of one ranker, for at most 16 cases. None, with y, for nine patients.

    Returns
    -------
    Explorable
        The figure, without influences.

    Raises
    ------
    ValueError
        For more than one column of scores, more than 16 cases, fewer than two of a class, unequal
        lengths, and NaN or infinite scores.

    See Also
    --------
    aucbook.inference.auc_interval : The confidence interval.

    Examples
    --------
    >>> from aucbook.explore import delong_explorer
    >>> delong_explorer()
    <explorable: Let one patient count more>
    """
    is_example = y is None and scores is None
    if is_example:
        y, scores = EXAMPLE_Y, EXAMPLE
    y, columns, words = cases_of(y, scores)
    if is_example:
        words = ("ill", "well")
    if len(columns) != 1:
        raise ValueError(f"scores must be the scores of one ranker, got {len(columns)} columns")
    if y.size > 16:
        raise ValueError(
            f"y has {y.size} labels: this explorable shows single patients, 16 at most"
        )
    (s,) = columns.values()
    pos, neg = (np.sort(s[y == c])[::-1] for c in (1, 0))
    m, n = pos.size, neg.size
    if min(m, n) < 2:
        raise ValueError(
            f"y has {m} {words[0]} and {n} {words[1]}: at least two of each, so that one can be "
            "left out"
        )
    wins = (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)
    positive_shares = wins.mean(1)
    negative_shares = wins.mean(0)
    auc = float(wins.mean())
    influence = np.r_[(positive_shares - auc) / m, (negative_shares - auc) / n]

    grid = Frame(56, 40, 250, 250)
    reach = 1.3 * float(abs(influence).max()) or 1.0
    ledger = Frame(30, 30, 318, 240, x=(-0.1, m + n + 0.5), y=(-reach, reach))
    place = [i + 0.5 + 0.4 * (i >= m) for i in range(m + n)]
    patients = [f"{words[0]}, {v:.4g}" for v in pos] + [f"{words[1]}, {v:.4g}" for v in neg]
    data = {
        "won": wins.tolist(),
        "words": words,
        "scores": [f"{v:.4g}" for v in np.r_[pos, neg]],
        "grid": grid.json(),
        "ledger": ledger.json(),
        "place": place,
    }
    wide, tall = 250 / n, 250 / m
    kinds = {1.0: ("win", ""), 0.5: ("even", "½"), 0.0: ("lose", "×")}
    cells, glyphs = [], []
    for i in range(m):
        for j in range(n):
            kind, glyph = kinds[wins[i, j]]
            x, top = 56 + j * wide, 290 - (i + 1) * tall
            cells.append(tag("rect", x=x, y=top, width=wide, height=tall, class_=f"cell {kind}"))
            glyphs.append(
                label(x + wide / 2, top + tall / 2 + 4, glyph, class_="glyph", anchor="middle")
            )
    rows = [290 - (i + 0.5) * tall + 4 for i in range(m)]
    middles = [56 + (j + 0.5) * wide for j in range(n)]
    panels = [
        svg(
            "All pairs, and each patient's share of them",
            f"{m} rows ({words[0]}, highest score at the bottom) by {n} columns ({words[1]}, "
            "highest score on the left). The share of blue in a row, A, is "
            f"{', '.join(map(fixed, positive_shares))}; in a column, N, "
            f"{', '.join(map(fixed, negative_shares))}. All in all "
            f"it is the AUC, {fixed(auc, 3)}.",
            *cells,
            *glyphs,
            tag("rect", class_="chosen", rx=3),
            *(label(48, at, f"{v:.4g}", class_="row", anchor="end") for at, v in zip(rows, pos)),
            *(
                label(at, 308, f"{v:.4g}", class_="column", anchor="middle")
                for at, v in zip(middles, neg)
            ),
            *(label(312, at, fixed(v), class_="A strong") for at, v in zip(rows, positive_shares)),
            *(
                label(at, 33, fixed(v), class_="N strong", anchor="middle")
                for at, v in zip(middles, negative_shares)
            ),
            label(312, 33, "A", class_="blue-ink strong"),
            label(44, 33, "N", class_="orange-ink strong", anchor="end"),
            label(181, 328, f"{words[1]}, highest score first", anchor="middle"),
            label(
                14,
                165,
                f"{words[0]}, highest score at the bottom",
                anchor="middle",
                transform="rotate(-90 14 165)",
            ),
            height=336,
        ),
        svg(
            "What each patient does to the AUC",
            f"A place for each of the {m + n} patients, empty until that patient has counted more "
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
                for at, kind in zip(place, ["pos"] * m + ["neg"] * n)
            ),
            *(
                label(ledger.x(at), 146, "?", class_="value halo small", anchor="middle")
                for at in place
            ),
            *(
                label(ledger.x(at), 288, text, anchor="middle")
                for at, text in zip(place, data["scores"])
            ),
            label(
                ledger.x(np.mean(place[:m])),
                306,
                words[0],
                class_="blue-ink strong",
                anchor="middle",
            ),
            label(
                ledger.x(np.mean(place[m:])),
                306,
                words[1],
                class_="orange-ink strong",
                anchor="middle",
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
        ),
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
        {**data, "who": patients},
        above=tag(
            "div",
            colour_key("blue-mid", "pair won"),
            colour_key("line", "tie ½"),
            colour_key("orange-wash", "lost ×"),
            class_="ax-legend",
        ),
    )
