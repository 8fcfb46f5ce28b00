"""Explorable of PAV-AdaBoost.finite: two isotonic curves, refitted one at a time."""

import numpy as np

from ..base import Explorable, Frame, bar, button, fixed, label, legend, mark, svg, tag

# Two scores of twelve documents, the first six not relevant. Either score alone has many errors.
S1 = [1, 1, 3, 6, 2, 1, 6, 5, 4, 3, 3, 2]
S2 = [2, 5, 4, 3, 2, 4, 1, 4, 1, 5, 6, 5]
Y = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
PASSES = 8
EDGE = 1.95  # documents are drawn at the votes -EDGE and EDGE, outside all curves
# A loss that five refits reach if the first is that of the score that is worse alone.
GOAL = 0.538
FEWEST = 5


def curves_explorer():
    """Run PAV-AdaBoost.finite by hand (Paper 2, section 3): refit two curves in turn.

    The left panel shows the isotonic curves of two scores of twelve documents, the one just
    refitted in blue, with its previous shape dashed; a document is as large as its weight in the
    refit of that curve. The right panel shows the mean exponential loss after each refit. Refitting
    the same curve twice changes nothing, so there are two sequences, one for each curve that comes
    first.

    Returns
    -------
    Explorable
        The figure, before the first refit.

    See Also
    --------
    aucbook.PAVAdaBoostFinite : The ranker.

    Examples
    --------
    >>> from aucbook.explore import curves_explorer
    >>> curves_explorer()
    <explorable: Two curves, refitted in turn>
    """
    films, least = zip(*map(_film, (0, 1)))
    least, start = least[0], films[0][0]
    frames = [Frame(46, 22 + 172 * j, 298, 128, x=(0.5, 6.5), y=(-2.3, 2.3)) for j in (0, 1)]
    right = Frame(46, 16, 298, 260, x=(-0.3, PASSES + 0.3), y=(0.5, 1.02))
    marks = []
    for j, (frame, s) in enumerate(zip(frames, (S1, S2))):
        for i, (v, y) in enumerate(zip(s, Y)):
            ties = [r for r in range(12) if (s[r], Y[r]) == (v, y)]
            x = frame.x(v) + 14 * (ties.index(i) - (len(ties) - 1) / 2)
            at = frame.y(EDGE if y else -EDGE)
            marks.append(
                (
                    round(x, 2),
                    round(at, 2),
                    mark(
                        "pos" if y else "neg",
                        class_="spot doc",
                        transform=f"translate({x:.2f} {at:.2f}) scale({start['size'][j][i]})",
                    ),
                )
            )
    panels = [
        svg(
            "The curves of the two scores",
            "Two staircases over the score values 1 to 6, both level at first. Relevant documents "
            "stand along the upper edge, the others along the lower one.",
            *(
                frame.axes(
                    "value of the score" if j else "",
                    "vote",
                    xticks=range(1, 7),
                    yticks=(-1, 0, 1),
                    xgrid=[],
                )
                for j, frame in enumerate(frames)
            ),
            *(
                label(52, frame.box[1] - 6, f"curve of score {j + 1}", class_="strong name")
                for j, frame in enumerate(frames)
            ),
            *(frame.line([], "guide was") for frame in frames),
            *(
                frame.line(_stairs(votes), "level stairs")
                for frame, votes in zip(frames, start["votes"])
            ),
            *(m for *_, m in marks),
            height=360,
        ),
        svg(
            "The mean exponential loss after each refit",
            "A row of points that falls with each refit, from 1 towards the minimum, "
            f"{fixed(least, 3)}, a dashed line.",
            right.axes(
                "refits",
                "mean exponential loss",
                xticks=range(PASSES + 1),
                yticks=(0.5, 0.6, 0.7, 0.8, 0.9, 1),
                xgrid=[],
            ),
            right.line([(right.xlim[0], least), (right.xlim[1], least)], "guide"),
            label(right.x(0) - 4, right.y(least) - 6, f"minimum {fixed(least, 3)}"),
            *(
                tag(
                    "circle",
                    r=5,
                    class_="dot",
                    opacity=0 if t else 1,
                    transform=f"translate({right.x(t):.2f} {right.y(start['loss']):.2f})",
                )
                for t in range(PASSES + 1)
            ),
            tag(
                "circle",
                r=8,
                class_="here",
                transform=f"translate({right.x(0):.2f} {right.y(start['loss']):.2f})",
            ),
            height=316,
        ),
    ]
    controls = [
        bar(
            button("one", "Refit curve 1", main=True),
            button("two", "Refit curve 2", main=True),
            button("back", "Back"),
            button("again", "Start again"),
        )
    ]
    data = {
        "films": films,
        "goal": GOAL,
        "fewest": FEWEST,
        "frames": [f.json() for f in frames],
        "right": right.json(),
        "marks": [m[:2] for m in marks],
    }
    return Explorable(
        "curves",
        "Two curves, refitted in turn",
        panels,
        controls,
        start["say"],
        data,
        above=legend(pos="relevant", neg="not relevant")
        + tag(
            "div", "The size of a mark: its weight when that curve is refitted.", class_="ax-legend"
        ),
    )


def _film(first):
    """Return the sequence of refits that begins with curve `first`, and the minimum of the loss.

    Each step has the votes of both curves, the sizes of the documents, the loss and a sentence.
    """
    from ...isotonic import CurveSum, value_codes
    from ... import roc_auc
    from ... import PAVAdaBoostFinite

    X, y = np.column_stack([S1, S2]).astype(float), np.array(Y)
    sorts = [value_codes(column, y) for column in X.T]
    model = CurveSum(sorts, [np.array([1])] * 2, y, np.ones(12), 1 / 12)
    steps = []
    for t in range(PASSES + 1):
        j = (first + t - 1) % 2
        if t:
            model.refit(j)
        votes = [np.log(odds[0]) for odds in model.odds]
        f = votes[0][X[:, 0].astype(int) - 1] + votes[1][X[:, 1].astype(int) - 1]
        auc, loss = roc_auc(y, f.round(9)), model.objective()
        if t == 0:
            say = (
                f"Both curves are level: every vote is 0, the loss is <b>{fixed(loss, 4)}</b>, and "
                f"the AUC of the sum of votes is <b>{fixed(auc, 3)}</b>. Get the loss below "
                f"<b>{fixed(GOAL, 3)}</b> with {FEWEST} refits. Which curve first?"
            )
        else:
            move = votes[j] - steps[-1]["votes"][j]
            at = int(np.argmax(np.abs(move)))
            say = (
                f"Refit {t}, curve {j + 1}. Its largest move is at the value {at + 1}, from "
                f"{_signed(steps[-1]['votes'][j][at])} to {_signed(votes[j][at])}. "
                f"The loss falls from {fixed(steps[-1]['loss'], 4)} to <b>{fixed(loss, 4)}</b>; "
                f"the AUC of the sum is <b>{fixed(auc, 3)}</b>."
            )
        if t == PASSES:
            say += (
                " One more refit would lower the loss by "
                f"{fixed(100 * (1 - model.objective_after_refit(1 - j) / loss))} %."
            )
        # the weight a document has when curve j is refitted comes from the other curve alone; a
        # mark's area is its weight
        weight = [np.exp((1 - 2 * y) * votes[1 - i][X[:, 1 - i].astype(int) - 1]) for i in (0, 1)]
        steps.append(
            {
                "votes": [v.round(5).tolist() for v in votes],
                "size": [(0.75 * np.sqrt(w)).round(3).tolist() for w in weight],
                "loss": round(loss, 5),
                "say": say,
            }
        )
    return steps, PAVAdaBoostFinite(max_cycles=10_000, tol=1e-12).fit(X, y).objective_[-1]


def _stairs(votes):
    """Return the corners of a step function that is level around each of the values 1 to 6."""
    return [(v + 1 + side, k) for v, k in enumerate(votes) for side in (-0.5, 0.5)]


def _signed(v):
    """Return a number with two decimals and a proper minus sign."""
    return fixed(v).replace("-", "−") if round(v, 2) else "0"
