"""Explorable of paired differences: the values of two rankers in the same folds."""

import numpy as np

from ..base import Explorable, Frame, bar, checkbox, fixed, label, numbers, slider, svg, tag, ticks

# The AUC of two rankers in the ten folds of the lesson on comparing.
LINE = [0.684, 0.785, 0.973, 0.860, 0.884, 0.843, 0.857, 0.849, 0.816, 0.884]
BAYES = [0.674, 0.739, 0.952, 0.818, 0.890, 0.808, 0.818, 0.789, 0.733, 0.824]


def dots_explorer(first=None, second=None, *, names=("line", "naive Bayes")):
    """Join the values of two rankers fold by fold and collect the differences.

    Differences within folds have a smaller standard deviation than the values. A tick box joins
    values of different folds: the mean of the differences stays, their standard deviation does not.

    Parameters
    ----------
    first, second : array-like of shape (n,), default None
        Values of two rankers in the same folds, 3 <= n <= 20; None for the ten folds of the lesson.
    names : (str, str)
        Names of the rankers.

    Returns
    -------
    Explorable
        The interactive figure.

    Raises
    ------
    ValueError
        For unequal lengths, values that are not finite, and fewer than 3 or more than 20 folds:
        the reader joins them one by one, and groups of folds would have another standard deviation.

    See Also
    --------
    aucbook.compare : Compare rankers in the same folds.
    aucbook.lab.comparison : Its result, with any number of folds.

    Examples
    --------
    >>> from aucbook.explore import dots_explorer
    >>> dots_explorer()
    <explorable: Join the dots of the folds>
    """
    a = numbers(LINE if first is None else first, "first")
    b = numbers(BAYES if second is None else second, "second", a.size)
    n = a.size
    if not 3 <= n <= 20:
        raise ValueError(
            f"first has {n} values: between 3 and 20 folds can be joined one by one; "
            "aucbook.lab.comparison shows the result of compare with more"
        )
    # the partner of each fold when values of different folds are joined
    other = (np.arange(n) + n // 2) % n
    low = min(a.min(), b.min())
    high = max(a.max(), b.max())
    padding = 0.08 * (high - low) or 0.05
    limit = 1.15 * max(abs(a - b).max(), abs(a - b[other]).max()) or 0.05
    left = Frame(60, 14, 280, 270, x=(-0.5, 1.5), y=(low - padding, high + padding))
    right = Frame(60, 14, 280, 270, x=(0, n + 2), y=(-limit, limit))
    data = {
        "first": a.tolist(),
        "second": b.tolist(),
        "other": other.tolist(),
        "left": left.json(),
        "right": right.json(),
        "names": list(names),
    }
    controls = [
        slider("joined", "folds joined", 0, n, 1, 0, "0"),
        bar(checkbox("wrong", "join dots of different folds")),
    ]
    first_mean, first_sd = _mean_and_sd(a)
    second_mean, second_sd = _mean_and_sd(b)
    sentence = (
        f"Mean and spread over {n} folds: "
        f"{names[0]} <b>{fixed(first_mean, 3)} ± {fixed(first_sd, 3)}</b>, "
        f"{names[1]} <b>{fixed(second_mean, 3)} ± {fixed(second_sd, 3)}</b>. "
        "Join the two dots of a fold, then the next."
    )
    panels = [_values_panel(left, a, b, names), _differences_panel(right, a - b, names)]
    return Explorable("dots", "Join the dots of the folds", panels, controls, sentence, data)


def _mean_and_sd(v):
    """Return mean and standard deviation."""
    # summed one by one, as the script does: means of ten AUCs with three decimals often end in
    # a five, and are rounded
    return float(np.cumsum(v)[-1] / v.size), float(v.std(ddof=1))


def _values_panel(frame, a, b, names):
    """Draw the values of both rankers in two columns, with mean and standard deviation."""
    # (horizontal place, that of its bar, values, class)
    columns = ((0, -0.3, b, "neg"), (1, 1.3, a, "pos"))
    bars = []
    for _, outside, values, _ in columns:
        mean, sd = _mean_and_sd(values)
        bars.append(frame.line([(outside, mean - sd), (outside, mean + sd)], "cutline spread"))
        bars.append(frame.circle(outside, mean, 6, "solid"))
    return svg(
        "The AUC of both rankers in each fold",
        f"Two columns of {a.size} dots, {names[1]} and {names[0]}. Outside of each a bar: its "
        "mean, and one spread up and down. "
        "The bars overlap for most of their length. No dots are joined yet.",
        frame.axes("", "AUC of a fold", xticks=(), yticks=ticks(*frame.ylim, 5)),
        *(frame.line([(0, v), (1, u)], "curve join hidden") for u, v in zip(a, b)),
        *(frame.circle(x, v, 5, f"{kind} mark") for x, _, values, kind in columns for v in values),
        *bars,
        label(frame.x(0), 304, names[1], class_="orange-ink strong", anchor="middle"),
        label(frame.x(1), 304, names[0], class_="blue-ink strong", anchor="middle"),
        height=322,
    )


def _differences_panel(frame, differences, names):
    """Draw the differences of the folds, hidden until their dots are joined."""
    n = differences.size
    return svg(
        f"The differences, {names[0]} minus {names[1]}",
        f"A place for each of the {n} folds, empty until its two dots are joined.",
        frame.axes(
            "fold",
            "difference",
            xticks=range(1, n + 1, 1 if n < 12 else 3),
            xgrid=[],
            yticks=ticks(*frame.ylim, 5),
        ),
        frame.line([(0, 0), (n + 2, 0)], "axis"),
        *(frame.circle(i, v, 5, "solid gap hidden") for i, v in enumerate(differences, 1)),
        tag("path", d="", class_="cutline spread both hidden"),
        tag("circle", r=7, class_="here mean hidden"),
        label(frame.x(n + 1.1), 28, "mean ± spread", class_="small", anchor="end"),
        height=322,
    )
