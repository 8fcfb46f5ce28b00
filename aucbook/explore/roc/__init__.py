"""Explorables of the ROC curve: its threshold, its partial AUC, and its pairs."""

import numpy as np

from ..cases import cases_of, lifts, roc_square, score_axis, score_span
from ..base import (
    colour_key,
    Explorable,
    Frame,
    bar,
    button,
    fixed,
    label,
    legend,
    mark,
    pills,
    slider,
    svg,
    tag,
)


def _staircase(frame, curve, done=0):
    """Return one path per threshold, of which the first `done` are drawn.

    A positive at or above the threshold is a step up, a false alarm a step to the right, and a tie
    a slanted segment.
    """
    out = []
    for j, (x0, y0, x1, y1) in enumerate(zip(curve.fpr, curve.tpr, curve.fpr[1:], curve.tpr[1:])):
        kind = "up" if x0 == x1 else "right" if y0 == y1 else "tie"
        out.append(frame.line([(x0, y0), (x1, y1)], f"on {kind}" if j < done else kind))
    return "".join(out)


def _bar_of_boxes(name, y, words, count, total, kind):
    """Return a tally: one box per patient, filled for those at or above the threshold."""
    width, left = 170.0, 112.0
    rules = (
        "".join(
            tag(
                "path",
                d=f"M{left + width * i / total:.2f} {y}v20",
                stroke="var(--paper)",
                stroke_width=2,
            )
            for i in range(1, total)
        )
        if total <= 20
        else ""
    )
    return "".join(
        [
            label(left - 8, y + 15, words, anchor="end"),
            tag(
                "rect",
                x=left,
                y=y,
                width=width,
                height=20,
                rx=3,
                style=f"fill:var(--{'blue' if kind == 'pos' else 'orange'}-wash)",
            ),
            tag(
                "rect",
                x=left,
                y=y,
                width=float(width * count / total),
                height=20,
                rx=3,
                class_=f"{kind} {name}",
                stroke_width=0,
            ),
            rules,
            label(left + width + 10, y + 15, f"{count} of {total}", class_=f"strong {name}-count"),
        ]
    )


def _dot_height(line, is_positive, lift):
    """Return the height of a dot: positives above the score axis, negatives below it."""
    return line.y(0) + (-lift if is_positive else lift)


def roc_explorer(y=None, scores=None):
    """Move the threshold, and draw the ROC curve step by step.

    The left panel shows the cases on the score axis with the threshold, the right panel the ROC
    curve as far as the threshold has come.

    Parameters
    ----------
    y : array of shape (n,), default None
        Labels of two classes.
    scores : array of shape (n,) or (n, k), or dict of str to array, default None
        Finite scores of at most 60 cases: one column, up to four columns, or up to four named
        columns. None, with y, for the nine X-rays and two doctors of Paper 3's Table 1.

    Returns
    -------
    Explorable
        The figure, at the third threshold.

    Raises
    ------
    ValueError
        For unequal lengths, one class, and NaN or infinite scores.

    See Also
    --------
    aucbook.roc_curve : The curve.
    pauc_explorer : Partial AUC.
    pairs_explorer : AUC as a share of pairs.

    Examples
    --------
    >>> from aucbook.explore import roc_explorer
    >>> roc_explorer()
    <explorable: Slide the threshold>
    """
    from ... import roc_curve

    y, columns, words = cases_of(y, scores)
    m, n = int(y.sum()), int((1 - y).sum())
    curves = [roc_curve(y, s) for s in columns.values()]
    line = Frame(20, 62, 320, 70, x=score_span(columns.values()), y=(-1, 1))
    square, axes = roc_square(words, m, n)
    data = {
        "m": m,
        "n": n,
        "words": words,
        "line": line.json(),
        "square": square.json(),
        "y": y.tolist(),
        "cols": [],
    }
    for (column, s), c in zip(columns.items(), curves):
        data["cols"].append(
            {
                "name": column,
                "s": s.tolist(),
                "lift": lifts(line, y, s),
                "thr": [float(t) for t in c.thresholds[1:]],
                "fpr": c.fpr.tolist(),
                "tpr": c.tpr.tolist(),
            }
        )
    first, col = curves[0], data["cols"][0]
    k = min(3, len(first.thresholds) - 1)
    theta = first.thresholds[k]
    tp, fp = round(first.tpr[k] * m), round(first.fpr[k] * n)
    cut = line.x(theta)
    dots = "".join(
        mark(
            "pos" if y[i] else "neg",
            "" if s >= theta else "out",
            transform=f"translate({line.x(s):.2f} {_dot_height(line, y[i], col['lift'][i]):.2f})",
            class_="spot",
        )
        for i, s in enumerate(col["s"])
    )
    scale = score_axis(line, 182)
    left = svg(
        f"{n + m} cases on the score line, and a threshold",
        f"{m} {words[0]} cases (discs) stand above the line and {n} {words[1]} ones (squares) "
        f"below it, each at its score. At threshold {theta:.4g}, "
        f"{tp} {words[0]} and {fp} {words[1]} cases lie at or above it and are called {words[0]}.",
        tag(
            "rect",
            x=float(cut),
            y=36,
            width=float(342 - cut),
            height=128,
            class_="wash called",
            rx=4,
        ),
        scale,
        tag(
            "path",
            d="M0 36V164",
            class_="cutline",
            transform=f"translate({cut:.2f} 0)",
            data_symbol="theta",
        ),
        dots,
        label(cut, 26, f"alarm if score ≥ {theta:.4g}", class_="strong cut-label", anchor="middle"),
        label(180, 200, "score", anchor="middle"),
        _bar_of_boxes("tally-pos", 238, f"{words[0]} caught", tp, m, "pos"),
        _bar_of_boxes("tally-neg", 272, f"{words[1]} alarmed", fp, n, "neg"),
    )
    here = (first.fpr[k], first.tpr[k])
    stairs = []
    for i, c in enumerate(curves):
        stairs.append(
            tag(
                "g",
                _staircase(square, c, 0 if i else k),
                class_="stairs" + (" hidden" if i else ""),
            )
        )
    right = svg(
        f"ROC curve of {col['name']}, drawn as far as the threshold",
        f"From (0, 0) the curve climbs one step for each {words[0]} case caught and moves right "
        f"one step for each {words[1]} case alarmed. It has reached FPR {fixed(here[0])} and TPR "
        f"{fixed(here[1])}; the rest is drawn faintly up to (1, 1).",
        axes,
        square.line([(0, 0), (1, 1)], "guide"),
        *stairs,
        tag(
            "circle",
            r=7,
            class_="here",
            transform=f"translate({square.x(here[0]):.2f} {square.y(here[1]):.2f})",
        ),
    )
    sentence = (
        f"Catch <b>{tp} of {m}</b> at the price of <b>{fp} of {n}</b>. <span>TPR {fixed(tp / m)}, "
        f"FPR {fixed(fp / n)}</span>"
    )
    controls = [bar(pills("col", columns, "Whose scores"))] if len(columns) > 1 else []
    controls.append(
        slider(
            "cut",
            "threshold",
            0,
            len(first.thresholds) - 1,
            1,
            len(first.thresholds) - 1 - k,
            f"{theta:.4g}",
        )
    )
    return Explorable(
        "roc",
        "Slide the threshold",
        [left, right],
        controls,
        sentence,
        data,
        above=legend(pos=words[0], neg=words[1]),
    )


def pauc_explorer(y=None, scores=None, *, min_fpr=0.1, max_fpr=0.2):
    """Choose a range of false positive rates, and read the partial AUC.

    Each score has a panel with its ROC curve, the strip min_fpr <= FPR <= max_fpr, the area under
    the curve inside it, and the share of the strip that this area fills (normalised partial AUC).

    Parameters
    ----------
    y : array of shape (n,), default None
        Labels of two classes.
    scores : array of shape (n,) or (n, k), or dict of str to array, default None
        Finite scores of at most 60 cases: one column, up to four columns, or up to four named
        columns. None, with y, for the nine X-rays and two doctors of Paper 3's Table 1.
    min_fpr : float, default 0.1
        Where the range starts at first.
    max_fpr : float, default 0.2
        Where it ends at first.

    Returns
    -------
    Explorable
        The figure, with this range.

    Raises
    ------
    ValueError
        For unequal lengths, one class, and NaN or infinite scores, and for a range outside 0 <=
        min_fpr < max_fpr <= 1.

    See Also
    --------
    aucbook.partial_auc : The measure.
    roc_explorer : The ROC curve and its threshold.

    Examples
    --------
    >>> from aucbook.explore import pauc_explorer
    >>> pauc_explorer()
    <explorable: Choose the range that matters>
    """
    from ..._validation.checks import check_range
    from ... import partial_auc, roc_auc, roc_curve

    y, columns, words = cases_of(y, scores)
    min_fpr, max_fpr = check_range(min_fpr, max_fpr)
    m, n = int(y.sum()), int((1 - y).sum())
    panels, data = [], {"alpha": min_fpr, "beta": max_fpr, "cols": []}
    for column, s in columns.items():
        curve = roc_curve(y, s)
        square, axes = roc_square(words, m, n, top=30)
        share, raw = (
            partial_auc(y, s, min_fpr=min_fpr, max_fpr=max_fpr, form=f)
            for f in ("normalized", "raw")
        )
        inside = (
            [(min_fpr, _height(curve, min_fpr, "right"))]
            + [p for p in zip(curve.fpr, curve.tpr) if min_fpr < p[0] < max_fpr]
            + [(max_fpr, _height(curve, max_fpr, "left"))]
        )
        data["square"] = square.json()
        data["cols"].append(
            {
                "name": column,
                "fpr": curve.fpr.tolist(),
                "tpr": curve.tpr.tolist(),
                "auc": roc_auc(y, s),
            }
        )
        panels.append(
            svg(
                f"ROC curve of {column} and the strip of FPR between {min_fpr:g} and {max_fpr:g}",
                f"The curve's whole area is {fixed(data['cols'][-1]['auc'])}. Inside the strip it "
                f"covers an area of {fixed(raw, 3)}, a share of {fixed(share)}.",
                axes,
                label(200, 18, column, class_="strong big", anchor="middle"),
                tag(
                    "rect",
                    x=float(square.x(min_fpr)),
                    y=30,
                    width=float(square.x(max_fpr) - square.x(min_fpr)),
                    height=280,
                    class_="strip",
                ),
                tag(
                    "path", d=square.path([(min_fpr, 0), *inside, (max_fpr, 0)], "Z"), class_="fill"
                ),
                square.line([(0, 0), (1, 1)], "guide"),
                square.line(list(zip(curve.fpr, curve.tpr)), "curve"),
                *(
                    tag(
                        "path",
                        d="M0 30V310",
                        class_=f"edge {k}",
                        transform=f"translate({square.x(v):.2f} 0)",
                    )
                    for k, v in (("alpha", min_fpr), ("beta", max_fpr))
                ),
                label(
                    square.x(0.97),
                    square.y(0.19),
                    f"fills {fixed(share)}",
                    class_="strong big halo share",
                    anchor="end",
                ),
                label(
                    square.x(0.97),
                    square.y(0.11),
                    f"of the strip (area {fixed(raw, 3)})",
                    class_="small halo raw",
                    anchor="end",
                ),
                height=350,
            )
        )
    controls = [
        slider("alpha", "from FPR α", 0, 1, 0.01, min_fpr, fixed(min_fpr)),
        slider("beta", "to FPR β", 0, 1, 0.01, max_fpr, fixed(max_fpr)),
    ]
    shares = [
        f"{c} fills <b>{fixed(partial_auc(y, s, min_fpr=min_fpr, max_fpr=max_fpr))}</b>"
        for c, s in columns.items()
    ]
    sentence = (
        f"Of the strip from {fixed(min_fpr)} to {fixed(max_fpr)}, {', '.join(shares)}; chance "
        f"fills {(min_fpr + max_fpr) / 2:.3g}."
    )
    return Explorable("pauc", "Choose the range that matters", panels, controls, sentence, data)


def _height(curve, x, side):
    """Return the height of the curve at x as the limit from its left or its right side.

    The two differ on a vertical step.
    """
    i = int(
        np.clip(
            np.searchsorted(curve.fpr, x, side="right") - 1
            if side == "right"
            else np.searchsorted(curve.fpr, x) - 1,
            0,
            len(curve.fpr) - 2,
        )
    )
    (x0, x1), (y0, y1) = curve.fpr[i : i + 2], curve.tpr[i : i + 2]
    return float(y0 + (y1 - y0) * (x - x0) / (x1 - x0)) if x1 > x0 else float(y0)


def pairs_explorer(y=None, scores=None):
    """Show every (positive, negative) pair as a cell; move a case, and see its pairs change.

    The share of blue cells, with ties counting one half, is the AUC, and the upper border of the
    blue region is the ROC curve.

    Parameters
    ----------
    y : array of shape (n,), default None
        Labels of two classes.
    scores : array of shape (n,) or (n, k), or dict of str to array, default None
        Finite scores of at most 60 cases: one column, up to four columns, or up to four named
        columns. None, with y, for the nine X-rays and two doctors of Paper 3's Table 1.

    Returns
    -------
    Explorable
        The figure, with these scores.

    Raises
    ------
    ValueError
        For unequal lengths, one class, and NaN or infinite scores, and for more than 150 pairs.

    See Also
    --------
    aucbook.roc_auc : The measure.
    roc_explorer : The ROC curve and its threshold.

    Examples
    --------
    >>> from aucbook.explore import pairs_explorer
    >>> pairs_explorer()
    <explorable: Count the pairs>
    """
    from ... import roc_auc, roc_curve

    y, columns, words = cases_of(y, scores)
    m, n = int(y.sum()), int((1 - y).sum())
    if m * n > 150:
        raise ValueError(
            f"{m} x {n} = {m * n} pairs are too many cells to read: this explorable shows up to 150"
        )
    (low, high), s = score_span(columns.values()), next(iter(columns.values()))
    step = 10.0 ** np.floor(np.log10((high - low) / 50))
    low, high = np.floor(low / step) * step, np.ceil(high / step) * step
    line, grid = Frame(20, 70, 320, 70, x=(low, high), y=(-1, 1)), Frame(60, 14, 280, 280)
    data = {
        "y": y.tolist(),
        "words": words,
        "line": line.json(),
        "grid": grid.json(),
        "step": step,
        "cols": [c.tolist() for c in columns.values()],
    }

    lift = lifts(line, y, s)
    dots = "".join(
        tag(
            "g",
            tag("circle", class_="ring", r=15),
            mark("pos" if y[i] else "neg"),
            class_="case",
            transform=f"translate({line.x(s[i]):.2f} {_dot_height(line, y[i], lift[i]):.2f})",
        )
        for i in range(y.size)
    )
    left = svg(
        f"{m + n} cases on the score line",
        f"{m} {words[0]} cases (discs) above the line and {n} {words[1]} ones (squares) below it, "
        "each at its score.",
        score_axis(line, 190),
        label(180, 210, "score", anchor="middle"),
        dots,
        label(180, 22, "", class_="strong who", anchor="middle"),
        role="group",
        height=218,
    )
    pos, neg = np.sort(s[y == 1])[::-1], np.sort(s[y == 0])[::-1]
    wide, tall = 280 / n, 280 / m
    cells = []
    glyphs = []
    wins = int((pos[:, None] > neg).sum())
    ties = int((pos[:, None] == neg).sum())
    for i, p in enumerate(pos):
        for j, q in enumerate(neg):
            kind, glyph = ("win", "") if p > q else ("even", "½") if p == q else ("lose", "×")
            cells.append(
                tag(
                    "rect",
                    x=60 + j * wide,
                    y=294 - (i + 1) * tall,
                    width=wide,
                    height=tall,
                    class_=f"cell {kind}",
                )
            )
            # the curve crosses a tied cell: its ½ is moved to the lower right
            away = 0.25 if glyph == "½" else 0
            glyphs.append(
                label(
                    60 + (j + 0.5 + away) * wide,
                    298 - (i + 0.5 - away) * tall,
                    glyph,
                    class_="glyph",
                    anchor="middle",
                )
            )
    curve, auc = roc_curve(y, s), roc_auc(y, s)
    right = svg(
        "All pairs, one cell each",
        f"{m} rows ({words[0]}, highest score at the bottom) by {n} columns ({words[1]}, highest "
        f"score on the left). {wins} cells in the right order, {ties} tied, "
        f"{m * n - wins - ties} wrong; the border of the right ones is the ROC curve, and their "
        f"share the AUC, {fixed(auc, 3)}.",
        *cells,
        *glyphs,
        grid.line(list(zip(curve.fpr, curve.tpr)), "border"),
        tag("rect", class_="chosen", rx=3),
        *(
            label(52, 298 - (i + 0.5) * tall, f"{p:.4g}", class_="row", anchor="end")
            for i, p in enumerate(pos)
        ),
        *(
            label(60 + (j + 0.5) * wide, 311, f"{q:.4g}", class_="column", anchor="middle")
            for j, q in enumerate(neg)
            if n <= 8
        ),
        label(200, 329, f"{words[1]}, highest score first", anchor="middle"),
        label(
            16,
            154,
            f"{words[0]}, highest score at the bottom",
            anchor="middle",
            transform="rotate(-90 16 154)",
        ),
    )

    above = tag(
        "div",
        colour_key("blue-mid", "right order"),
        colour_key("line", "tie ½"),
        colour_key("orange-wash", "wrong order ×"),
        tag("span", "Drag a case, or select it and press the arrow keys."),
        class_="ax-legend",
    )
    controls = [
        bar(
            pills("col", columns, "Whose scores") if len(columns) > 1 else "",
            button("reset", "Reset"),
        )
    ]
    sentence = (
        f"<b>{wins}</b> of {m * n} pairs are in the right order{_tied(ties)}: AUC = "
        f"<b>{fixed(auc, 3)}</b>."
    )
    return Explorable(
        "pairs", "Count the pairs", [left, right], controls, sentence, data, above=above
    )


def _tied(ties):
    """Return the part of the sentence about ties."""
    return f", and {ties} {'is' if ties == 1 else 'are'} tied" if ties else ""
