"""What the explorables of scored cases share: the cases, the score axis with its dots, the square of a ROC curve."""

import numpy as np

from .base import Frame, label, numbers, tag, ticks

# Paper 3, Table 1: four sick patients, five healthy ones, two doctors.
TABLE1_Y = [1, 1, 1, 1, 0, 0, 0, 0, 0]
TABLE1 = {
    "Doctor 1": [9.1, 6.8, 6.1, 5.7, 8.5, 8.1, 4.2, 3.6, 2.3],
    "Doctor 2": [9.9, 8.7, 3.3, 2.1, 7.6, 5.3, 4.9, 4.4, 0.8],
}


def cases_of(y, scores):
    """(0/1 labels, {name: finite scores}, (word for positives, for negatives)), the labels if they are words; the paper's table when nothing is given."""
    from .._validation.checks import check_labels

    if (y is None) != (scores is None):
        raise ValueError(
            "give both y and scores, or neither (for the nine patients of the paper's Table 1)"
        )
    words = ("positive", "negative") if y is not None else ("sick", "healthy")
    y, scores = (TABLE1_Y, TABLE1) if y is None else (y, scores)
    y, names = check_labels(y, warn=False)
    if names.dtype.kind in "US":
        words = str(names[1]), str(names[0])
    if not isinstance(scores, dict):
        columns = np.asarray(scores)
        if columns.ndim == 2 and columns.shape[0] != y.size:
            raise ValueError(
                f"scores has {columns.shape[0]} rows where y has {y.size}: one row per case, one "
                "column per score"
            )
        columns = columns.T if columns.ndim == 2 else columns[None]
        scores = {
            f"score {i + 1}" if len(columns) > 1 else "score": c for i, c in enumerate(columns)
        }
    if not 1 <= len(scores) <= 4:
        raise ValueError(f"scores must have one to four columns, got {len(scores)}")
    return (
        y.astype(int),
        {str(k): numbers(v, f"scores[{k!r}]", y.size) for k, v in scores.items()},
        words,
    )


def score_span(columns):
    """The score axis: all columns, a margin, never empty."""
    low, high = min(c.min() for c in columns), max(c.max() for c in columns)
    pad = 0.08 * (high - low) or 1.0
    return low - pad, high + pad


def lifts(frame, y, s):
    """Distance of each dot from the line: dots of one class that would cover each other climb, lowest score first."""
    level = {}
    for i in np.argsort(s, kind="stable").tolist():
        taken = {
            k for j, k in level.items() if y[j] == y[i] and abs(frame.x(s[j]) - frame.x(s[i])) < 13
        }
        level[i] = min(set(range(len(s))) - taken)
    step = min(14, 40 / max(1, *level.values()))
    return [round(16 + step * level[i], 2) for i in range(len(s))]


def roc_square(words, m, n, **box):
    """The unit square of a ROC curve; the grid shows one row per positive and one column per negative when they are few."""
    frame = Frame(**{"left": 60, "top": 14, "width": 280, "height": 280, **box})
    grid = {
        f"{axis}{what}": np.arange(k + 1) / k
        for axis, k in (("x", n), ("y", m))
        for what, limit in (("grid", 20), ("ticks", 5))
        if k <= limit
    }
    return frame, frame.axes(
        f"share of {words[1]} alarmed (FPR)", f"share of {words[0]} caught (TPR)", **grid
    )


def score_axis(line, y):
    """The score axis: the line itself with tick marks, and its labels at height y."""
    out = [
        tag(
            "path",
            d=f"M{line.x(line.xlim[0]):.1f} {line.y(0)}H{line.x(line.xlim[1]):.1f}",
            class_="axis",
        )
    ]
    for t in ticks(*line.xlim):
        out += [
            tag("path", d=f"M{line.x(t):.1f} {line.y(0) - 3}v6", class_="axis"),
            label(line.x(t), y, f"{t:g}", anchor="middle"),
        ]
    return "".join(out)
