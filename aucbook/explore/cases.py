"""Shared by the explorables of scored cases: input checks, the score axis, the ROC square."""

import numpy as np

from .base import Frame, label, numbers, tag, ticks

# Paper 3, Table 1: four positive and five negative patients, two doctors.
TABLE1_Y = [1, 1, 1, 1, 0, 0, 0, 0, 0]
TABLE1 = {
    "Doctor 1": [9.1, 6.8, 6.1, 5.7, 8.5, 8.1, 4.2, 3.6, 2.3],
    "Doctor 2": [9.9, 8.7, 3.3, 2.1, 7.6, 5.3, 4.9, 4.4, 0.8],
}


def cases_of(y, scores):
    """Check labels and scores, and return them with the names of the classes.

    Without labels and scores, the nine patients of Paper 3's Table 1. The classes are called
    positive and negative unless the labels are words.

    Returns
    -------
    y : array of shape (n,)
        Labels 0 and 1.
    columns : dict of str to array of shape (n,)
        One to four named columns of finite scores.
    class_names : tuple of two str
        Names of the positive and of the negative class.
    """
    from .._validation.checks import check_labels

    if (y is None) != (scores is None):
        raise ValueError(
            "give both y and scores, or neither (for the nine patients of the paper's Table 1)"
        )
    if y is None:
        y = TABLE1_Y
        scores = TABLE1
        class_names = ("sick", "healthy")
    else:
        class_names = ("positive", "negative")
    y, names = check_labels(y, name="y", warn=False)
    if names.dtype.kind in "US":
        class_names = str(names[1]), str(names[0])
    several = isinstance(scores, dict)
    if not several:
        columns = np.asarray(scores)
        if columns.ndim == 2 and columns.shape[0] != y.size:
            raise ValueError(
                f"scores has {columns.shape[0]} rows where y has {y.size}: one row per case, one "
                "column per score"
            )
        columns = columns.T if columns.ndim == 2 else columns[None]
        several = len(columns) > 1
        scores = {f"score {i + 1}" if several else "score": c for i, c in enumerate(columns)}
    if not 1 <= len(scores) <= 4:
        raise ValueError(f"scores must have one to four columns, got {len(scores)}")
    columns = {}
    for name, values in scores.items():
        columns[str(name)] = numbers(values, f"scores[{name!r}]" if several else "scores", y.size)
    return y.astype(int), columns, class_names


def single_column(columns):
    """Return the scores of the only column; raise ValueError if there are several."""
    if len(columns) != 1:
        raise ValueError(f"scores must be the scores of one ranker, got {len(columns)} columns")
    (scores,) = columns.values()
    return scores


def class_counts(y):
    """Return the numbers of positives and of negatives."""
    n_positives = int(y.sum())
    return n_positives, y.size - n_positives


def pair_grid(wins, left, bottom, width, height, tie_shift=0.0):
    """Return a cell for each (positive, negative) pair, and a sign in each that is not won.

    Parameters
    ----------
    wins : array of shape (m, n)
        1 if the positive has the higher score, 1/2 for a tie, 0 otherwise; the first row is drawn
        at the bottom.
    left, bottom : float
        The lower left corner in the picture.
    width, height : float
        Those of a cell.
    tie_shift : float, default 0.0
        How far the sign of a tie is moved to the lower right, in cells.

    Returns
    -------
    list of str
        The cells, and then their signs.
    """
    kinds = {1.0: ("win", ""), 0.5: ("even", "½"), 0.0: ("lose", "×")}
    cells = []
    signs = []
    for (i, j), win in np.ndenumerate(wins):
        kind, sign = kinds[float(win)]
        shift = tie_shift if kind == "even" else 0.0
        cells.append(
            tag(
                "rect",
                x=left + j * width,
                y=bottom - (i + 1) * height,
                width=width,
                height=height,
                class_=f"cell {kind}",
            )
        )
        signs.append(
            label(
                left + (j + 0.5 + shift) * width,
                bottom + 4 - (i + 0.5 - shift) * height,
                sign,
                class_="glyph",
                anchor="middle",
            )
        )
    return [*cells, *signs]


def score_span(columns):
    """Return the limits of the score axis: all columns and a margin, never empty."""
    low = min(column.min() for column in columns)
    high = max(column.max() for column in columns)
    pad = 0.08 * (high - low) or 1.0
    return low - pad, high + pad


def lifts(frame, y, s):
    """Return the distance of each dot from the axis.

    Dots of one class that would cover each other are stacked, lowest score first.
    """
    level = {}
    for i in np.argsort(s, kind="stable").tolist():
        taken = {
            k for j, k in level.items() if y[j] == y[i] and abs(frame.x(s[j]) - frame.x(s[i])) < 13
        }
        level[i] = min(set(range(len(s))) - taken)
    step = min(14, 40 / max(1, *level.values()))
    return [round(16 + step * level[i], 2) for i in range(len(s))]


def roc_square(class_names, m, n, **box):
    """Return the frame and the axes of the unit square of a ROC curve.

    The grid has one row per positive and one column per negative if they are few.
    """
    frame = Frame(**{"left": 60, "top": 14, "width": 280, "height": 280, **box})
    grid = {
        f"{axis}{kind}": np.arange(k + 1) / k
        for axis, k in (("x", n), ("y", m))
        for kind, limit in (("grid", 20), ("ticks", 5))
        if k <= limit
    }
    return frame, frame.axes(
        f"share of {class_names[1]} alarmed (FPR)",
        f"share of {class_names[0]} caught (TPR)",
        **grid,
    )


def score_axis(line, y):
    """Return the score axis with tick marks, and its labels at height y."""
    ends = f"M{line.x(line.xlim[0]):.1f} {line.y(0)}H{line.x(line.xlim[1]):.1f}"
    parts = [tag("path", d=ends, class_="axis")]
    for t in ticks(*line.xlim):
        parts += [
            tag("path", d=f"M{line.x(t):.1f} {line.y(0) - 3}v6", class_="axis"),
            label(line.x(t), y, f"{t:g}", anchor="middle"),
        ]
    return "".join(parts)
