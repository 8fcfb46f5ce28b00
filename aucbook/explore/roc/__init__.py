"""Explorables of the ROC curve: its threshold, its partial AUC, and its pairs."""

import numpy as np

from ..._validation.checks import reject_former_calls
from ..cases import cases_of, class_counts, lifts, pair_grid, roc_square, score_axis, score_span
from ..base import (
    Explorable,
    Frame,
    bar,
    button,
    colour_key,
    fixed,
    label,
    legend,
    mark,
    pills,
    slider,
    svg,
    tag,
    upward_label,
)
from ..larger import MAX_CASES, lab_widget

MAX_PAIRS = 150  # cells that can be read


def roc_explorer(y=None, scores=None):
    """Move the threshold, and draw the ROC curve step by step.

    The left panel shows the cases on the score axis with the threshold, the right panel the ROC
    curve as far as the threshold has come.

    Parameters
    ----------
    y : array-like of shape (n,), default None
        Labels of two classes: numbers, bools or strings.
    scores : array-like of shape (n,) or (n, k), or dict of str to array-like, default None
        Finite scores: one column, up to four columns, or up to four named columns. None, with y,
        for the nine X-rays and two doctors of Paper 3's Table 1.

    Returns
    -------
    Explorable or LabWidget
        The figure, at the third threshold. For more than 60 cases `aucbook.lab.roc`, with
        histograms in place of single cases.

    Raises
    ------
    ValueError
        For unequal lengths, one class, and NaN or infinite scores.

    See Also
    --------
    aucbook.roc_curve : The curve.
    aucbook.lab.roc : The same for data of your own.
    pauc_explorer : Partial AUC.
    pairs_explorer : AUC as a share of pairs.

    Examples
    --------
    >>> from aucbook.explore import roc_explorer
    >>> roc_explorer()
    <explorable: Slide the threshold>
    """
    from ... import roc_curve

    labels = y
    y, columns, class_names = cases_of(y, scores)
    if y.size > MAX_CASES:
        return lab_widget("roc", labels, columns)
    m, n = class_counts(y)
    curves = [roc_curve(y, s) for s in columns.values()]
    line = Frame(20, 62, 320, 70, x=score_span(columns.values()), y=(-1, 1))
    square, axes = roc_square(class_names, m, n)
    k = min(3, len(curves[0].thresholds) - 1)
    last = len(curves[0].thresholds) - 1
    theta = curves[0].thresholds[k]
    tp = round(curves[0].tpr[k] * m)
    fp = round(curves[0].fpr[k] * n)
    panels = [
        _threshold_panel(line, y, next(iter(columns.values())), class_names, theta, (tp, fp)),
        _staircase_panel(square, axes, curves, k, next(iter(columns)), class_names),
    ]
    controls = [bar(pills("col", columns, "Whose scores"))] if len(columns) > 1 else []
    controls.append(slider("cut", "threshold", 0, last, 1, last - k, f"{theta:.4g}"))
    sentence = (
        f"Catch <b>{tp} of {m}</b> at the price of <b>{fp} of {n}</b>. <span>TPR {fixed(tp / m)}, "
        f"FPR {fixed(fp / n)}</span>"
    )
    data = {
        "m": m,
        "n": n,
        "words": class_names,
        "line": line.json(),
        "square": square.json(),
        "y": y.tolist(),
        "cols": [
            {
                "name": name,
                "s": s.tolist(),
                "lift": lifts(line, y, s),
                "thr": [float(t) for t in curve.thresholds[1:]],
                "fpr": curve.fpr.tolist(),
                "tpr": curve.tpr.tolist(),
            }
            for (name, s), curve in zip(columns.items(), curves)
        ],
    }
    return Explorable(
        "roc",
        "Slide the threshold",
        panels,
        controls,
        sentence,
        data,
        above=legend(pos=class_names[0], neg=class_names[1]),
    )


def _threshold_panel(line, y, scores, class_names, theta, flagged):
    """Draw the cases on the score axis, the threshold, and the counts (tp, fp) of the flagged."""
    positive, negative = class_names
    m, n = class_counts(y)
    tp, fp = flagged
    cut = line.x(theta)
    marks = [
        mark(
            "pos" if is_positive else "neg",
            "" if score >= theta else "out",
            transform=_dot_place(line, is_positive, score, lift),
            class_="spot",
        )
        for is_positive, score, lift in zip(y, scores.tolist(), lifts(line, y, scores))
    ]
    return svg(
        f"{n + m} cases on the score line, and a threshold",
        f"{m} {positive} cases (discs) stand above the line and {n} {negative} ones (squares) "
        f"below it, each at its score. At threshold {theta:.4g}, "
        f"{tp} {positive} and {fp} {negative} cases lie at or above it and are called {positive}.",
        tag(
            "rect",
            x=float(cut),
            y=36,
            width=float(342 - cut),
            height=128,
            class_="wash called",
            rx=4,
        ),
        score_axis(line, 182),
        tag(
            "path",
            d="M0 36V164",
            class_="cutline",
            transform=f"translate({cut:.2f} 0)",
            data_symbol="theta",
        ),
        "".join(marks),
        label(cut, 26, f"alarm if score ≥ {theta:.4g}", class_="strong cut-label", anchor="middle"),
        label(180, 200, "score", anchor="middle"),
        _tally("tally-pos", 238, f"{positive} caught", tp, m, "pos"),
        _tally("tally-neg", 272, f"{negative} alarmed", fp, n, "neg"),
    )


def _staircase_panel(square, axes, curves, k, name, class_names):
    """Draw the ROC curve of the first column as far as threshold k; the others are hidden."""
    fpr = curves[0].fpr[k]
    tpr = curves[0].tpr[k]
    stairs = [
        tag(
            "g",
            _staircase(square, curve, 0 if i else k),
            class_="stairs" + (" hidden" if i else ""),
        )
        for i, curve in enumerate(curves)
    ]
    return svg(
        f"ROC curve of {name}, drawn as far as the threshold",
        f"From (0, 0) the curve climbs one step for each {class_names[0]} case caught and moves "
        f"right one step for each {class_names[1]} case alarmed. It has reached FPR {fixed(fpr)} "
        f"and TPR {fixed(tpr)}; the rest is drawn faintly up to (1, 1).",
        axes,
        square.line([(0, 0), (1, 1)], "guide"),
        *stairs,
        square.circle(fpr, tpr, 7, "here"),
    )


def _staircase(frame, curve, done=0):
    """Return one path per threshold, of which the first `done` are drawn.

    A positive at or above the threshold is a step up, a false alarm a step to the right, and a tie
    a slanted segment.
    """
    paths = []
    for j, (x0, y0, x1, y1) in enumerate(zip(curve.fpr, curve.tpr, curve.fpr[1:], curve.tpr[1:])):
        kind = "up" if x0 == x1 else "right" if y0 == y1 else "tie"
        paths.append(frame.line([(x0, y0), (x1, y1)], f"on {kind}" if j < done else kind))
    return "".join(paths)


def _tally(name, y, text, count, total, kind):
    """Return a bar with one box per patient, filled for those at or above the threshold."""
    left = 112.0
    width = 170.0
    borders = [
        tag(
            "path",
            d=f"M{left + width * i / total:.2f} {y}v20",
            stroke="var(--paper)",
            stroke_width=2,
        )
        for i in range(1, total)
    ]
    colour = "blue" if kind == "pos" else "orange"
    return "".join(
        [
            label(left - 8, y + 15, text, anchor="end"),
            tag(
                "rect",
                x=left,
                y=y,
                width=width,
                height=20,
                rx=3,
                style=f"fill:var(--{colour}-wash)",
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
            *(borders if total <= 20 else []),
            label(left + width + 10, y + 15, f"{count} of {total}", class_=f"strong {name}-count"),
        ]
    )


def _dot_place(line, is_positive, score, lift):
    """Return the transform of a mark: positives above the score axis, negatives below it."""
    height = line.y(0) + (-lift if is_positive else lift)
    return f"translate({line.x(score):.2f} {height:.2f})"


@reject_former_calls
def pauc_explorer(y=None, scores=None, *, min_fpr=0.1, max_fpr=0.2):
    """Choose a range of false positive rates, and read the partial AUC.

    Each score has a panel with its ROC curve, the strip min_fpr <= FPR <= max_fpr, the area under
    the curve inside it, and the share of the strip that this area fills (normalized partial AUC).

    Parameters
    ----------
    y : array-like of shape (n,), default None
        Labels of two classes: numbers, bools or strings.
    scores : array-like of shape (n,) or (n, k), or dict of str to array-like, default None
        Finite scores: one column, up to four columns, or up to four named columns. None, with y,
        for the nine X-rays and two doctors of Paper 3's Table 1.
    min_fpr : float, default 0.1
        Where the range starts at first.
    max_fpr : float, default 0.2
        Where it ends at first.

    Returns
    -------
    Explorable or LabWidget
        The figure, with this range. For more than 60 cases `aucbook.lab.pauc`, which draws the
        curves through some hundred of their points.

    Raises
    ------
    ValueError
        For unequal lengths, one class, and NaN or infinite scores, and for a range outside 0 <=
        min_fpr < max_fpr <= 1.

    See Also
    --------
    aucbook.partial_auc : The measure.
    aucbook.lab.pauc : The same for data of your own, with confidence intervals.
    roc_explorer : The ROC curve and its threshold.

    Examples
    --------
    >>> from aucbook.explore import pauc_explorer
    >>> pauc_explorer()
    <explorable: Choose the range that matters>
    """
    from ..._validation.checks import check_range
    from ... import partial_auc, roc_auc, roc_curve

    labels = y
    y, columns, class_names = cases_of(y, scores)
    min_fpr, max_fpr = check_range(min_fpr, max_fpr)
    if y.size > MAX_CASES:
        return lab_widget("pauc", labels, columns, min_fpr=min_fpr, max_fpr=max_fpr)
    m, n = class_counts(y)
    square, axes = roc_square(class_names, m, n, top=30)
    panels = []
    shares = []
    data = {"alpha": min_fpr, "beta": max_fpr, "cols": [], "square": square.json()}
    for name, s in columns.items():
        curve = roc_curve(y, s)
        auc = roc_auc(y, s)
        share = partial_auc(y, s, min_fpr=min_fpr, max_fpr=max_fpr)
        area = partial_auc(y, s, min_fpr=min_fpr, max_fpr=max_fpr, form="raw")
        axes_and_name = axes + label(200, 18, name, class_="strong big", anchor="middle")
        panels.append(
            svg(
                f"ROC curve of {name} and the strip of FPR between {min_fpr:g} and {max_fpr:g}",
                f"The curve's whole area is {fixed(auc)}. Inside the strip it "
                f"covers an area of {fixed(area, 3)}, a share of {fixed(share)}.",
                axes_and_name,
                *_strip(square, curve, min_fpr, max_fpr, share, area),
                height=350,
            )
        )
        shares.append(f"{name} fills <b>{fixed(share)}</b>")
        data["cols"].append(
            {"name": name, "fpr": curve.fpr.tolist(), "tpr": curve.tpr.tolist(), "auc": auc}
        )
    controls = [
        slider("alpha", "from FPR α", 0, 1, 0.01, min_fpr, fixed(min_fpr)),
        slider("beta", "to FPR β", 0, 1, 0.01, max_fpr, fixed(max_fpr)),
    ]
    sentence = (
        f"Of the strip from {fixed(min_fpr)} to {fixed(max_fpr)}, {', '.join(shares)}; chance "
        f"fills {(min_fpr + max_fpr) / 2:.3g}."
    )
    return Explorable("pauc", "Choose the range that matters", panels, controls, sentence, data)


def _strip(square, curve, min_fpr, max_fpr, share, area):
    """Draw the range of false positive rates, the curve, and the area below it in the range."""
    inside = [(x, y) for x, y in zip(curve.fpr, curve.tpr) if min_fpr < x < max_fpr]
    border = [
        (min_fpr, 0),
        (min_fpr, _height(curve, min_fpr, "right")),
        *inside,
        (max_fpr, _height(curve, max_fpr, "left")),
        (max_fpr, 0),
    ]
    return [
        tag(
            "rect",
            x=float(square.x(min_fpr)),
            y=30,
            width=float(square.x(max_fpr) - square.x(min_fpr)),
            height=280,
            class_="strip",
        ),
        tag("path", d=square.path(border, "Z"), class_="fill"),
        square.line([(0, 0), (1, 1)], "guide"),
        square.line(list(zip(curve.fpr, curve.tpr)), "curve"),
        *(
            tag(
                "path",
                d="M0 30V310",
                class_=f"edge {name}",
                transform=f"translate({square.x(fpr):.2f} 0)",
            )
            for name, fpr in (("alpha", min_fpr), ("beta", max_fpr))
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
            f"of the strip (area {fixed(area, 3)})",
            class_="small halo raw",
            anchor="end",
        ),
    ]


def _height(curve, x, side):
    """Return the height of the curve at x as the limit from its left or its right side.

    The two differ on a vertical step.
    """
    if side == "right":
        i = np.searchsorted(curve.fpr, x, side="right") - 1
    else:
        i = np.searchsorted(curve.fpr, x) - 1
    i = int(np.clip(i, 0, len(curve.fpr) - 2))
    x0, x1 = curve.fpr[i : i + 2]
    y0, y1 = curve.tpr[i : i + 2]
    return float(y0 + (y1 - y0) * (x - x0) / (x1 - x0)) if x1 > x0 else float(y0)


def pairs_explorer(y=None, scores=None):
    """Show every (positive, negative) pair as a cell; move a case, and see its pairs change.

    The share of blue cells, with ties counting one half, is the AUC, and the upper border of the
    blue region is the ROC curve.

    Parameters
    ----------
    y : array-like of shape (n,), default None
        Labels of two classes: numbers, bools or strings.
    scores : array-like of shape (n,) or (n, k), or dict of str to array-like, default None
        Finite scores: one column, up to four columns, or up to four named columns. None, with y,
        for the nine X-rays and two doctors of Paper 3's Table 1.

    Returns
    -------
    Explorable or LabWidget
        The figure, with these scores. For more than 60 cases or 150 pairs `aucbook.lab.roc`: its
        curve is the border that the cells would draw, and its AUC their share.

    Raises
    ------
    ValueError
        For unequal lengths, one class, and NaN or infinite scores.

    See Also
    --------
    aucbook.roc_auc : The measure.
    aucbook.lab.roc : The curve for data of your own.
    roc_explorer : The ROC curve and its threshold.

    Examples
    --------
    >>> from aucbook.explore import pairs_explorer
    >>> pairs_explorer()
    <explorable: Count the pairs>
    """
    from ... import roc_auc

    labels = y
    y, columns, class_names = cases_of(y, scores)
    m, n = class_counts(y)
    if y.size > MAX_CASES or m * n > MAX_PAIRS:
        return lab_widget("roc", labels, columns)
    s = next(iter(columns.values()))
    low, high = score_span(columns.values())
    step = 10.0 ** np.floor(np.log10((high - low) / 50))
    limits = (np.floor(low / step) * step, np.ceil(high / step) * step)
    line = Frame(20, 70, 320, 70, x=limits, y=(-1, 1))
    grid = Frame(60, 14, 280, 280)
    positives = np.sort(s[y == 1])[::-1]
    negatives = np.sort(s[y == 0])[::-1]
    n_wins = int((positives[:, None] > negatives).sum())
    n_ties = int((positives[:, None] == negatives).sum())
    auc = roc_auc(y, s)
    data = {
        "y": y.tolist(),
        "words": class_names,
        "line": line.json(),
        "grid": grid.json(),
        "step": step,
        "cols": [c.tolist() for c in columns.values()],
    }
    panels = [
        _cases_panel(line, y, s, class_names),
        svg(
            "All pairs, one cell each",
            f"{m} rows ({class_names[0]}, highest score at the bottom) by {n} columns "
            f"({class_names[1]}, highest score on the left). {n_wins} cells in the right order, "
            f"{n_ties} tied, {m * n - n_wins - n_ties} wrong; the border of the right ones is the "
            f"ROC curve, and their share the AUC, {fixed(auc, 3)}.",
            *_pair_table(grid, y, s, class_names),
        ),
    ]
    choice = pills("col", columns, "Whose scores") if len(columns) > 1 else ""
    sentence = (
        f"<b>{n_wins}</b> of {m * n} pairs are in the right order{_tied(n_ties)}: AUC = "
        f"<b>{fixed(auc, 3)}</b>."
    )
    above = legend(
        colour_key("blue-mid", "right order"),
        colour_key("line", "tie ½"),
        colour_key("orange-wash", "wrong order ×"),
        tag("span", "Drag a case, or select it and press the arrow keys."),
    )
    controls = [bar(choice, button("reset", "Reset"))]
    return Explorable("pairs", "Count the pairs", panels, controls, sentence, data, above=above)


def _cases_panel(line, y, scores, class_names):
    """Draw the cases on the score axis."""
    m, n = class_counts(y)
    cases = [
        tag(
            "g",
            tag("circle", class_="ring", r=15),
            mark("pos" if is_positive else "neg"),
            class_="case",
            transform=_dot_place(line, is_positive, score, lift),
        )
        for is_positive, score, lift in zip(y, scores, lifts(line, y, scores))
    ]
    return svg(
        f"{m + n} cases on the score line",
        f"{m} {class_names[0]} cases (discs) above the line and {n} {class_names[1]} ones "
        "(squares) below it, each at its score.",
        score_axis(line, 190),
        label(180, 210, "score", anchor="middle"),
        "".join(cases),
        label(180, 22, "", class_="strong who", anchor="middle"),
        role="group",
        height=218,
    )


def _pair_table(grid, y, scores, class_names):
    """Draw a cell for each pair, the ROC curve as the border of those won, and the scores."""
    from ... import roc_curve

    positives = np.sort(scores[y == 1])[::-1]
    negatives = np.sort(scores[y == 0])[::-1]
    wins = (positives[:, None] > negatives) + 0.5 * (positives[:, None] == negatives)
    wide = 280 / negatives.size
    tall = 280 / positives.size
    curve = roc_curve(y, scores)
    return [
        # the curve crosses a tied cell: its ½ is moved to the lower right
        *pair_grid(wins, 60, 294, wide, tall, tie_shift=0.25),
        grid.line(list(zip(curve.fpr, curve.tpr)), "border"),
        tag("rect", class_="chosen", rx=3),
        *(
            label(52, 298 - (i + 0.5) * tall, f"{score:.4g}", class_="row", anchor="end")
            for i, score in enumerate(positives)
        ),
        *(
            label(60 + (j + 0.5) * wide, 311, f"{score:.4g}", class_="column", anchor="middle")
            for j, score in enumerate(negatives)
            if negatives.size <= 8
        ),
        label(200, 329, f"{class_names[1]}, highest score first", anchor="middle"),
        upward_label(16, 154, f"{class_names[0]}, highest score at the bottom"),
    ]


def _tied(n_ties):
    """Return the part of the sentence about ties."""
    return f", and {n_ties} {'is' if n_ties == 1 else 'are'} tied" if n_ties else ""
