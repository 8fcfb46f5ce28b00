"""Explorable of PAV-AdaBoost.finite: two isotonic curves, refitted one at a time."""

import numpy as np

from ..base import Explorable, Frame, bar, button, fixed, label, legend, mark, svg, tag, unit_steps

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
    aucbook.lab.additive : The shape functions of an additive model of your own.

    Examples
    --------
    >>> from aucbook.explore import curves_explorer
    >>> curves_explorer()
    <explorable: Two curves, refitted in turn>
    """
    films, minima = zip(*(_film(first) for first in (0, 1)))
    start = films[0][0]
    frames = [Frame(46, 22 + 172 * j, 298, 128, x=(0.5, 6.5), y=(-2.3, 2.3)) for j in (0, 1)]
    right = Frame(46, 16, 298, 260, x=(-0.3, PASSES + 0.3), y=(0.5, 1.02))
    places = [place for frame, scores in zip(frames, (S1, S2)) for place in _places(frame, scores)]
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
        "frames": [frame.json() for frame in frames],
        "right": right.json(),
        "marks": [(round(x, 2), round(y, 2)) for x, y in places],
    }
    size = legend("The size of a mark: its weight when that curve is refitted.")
    return Explorable(
        "curves",
        "Two curves, refitted in turn",
        [_curves_panel(frames, places, start), _loss_panel(right, start["loss"], minima[0])],
        controls,
        start["say"],
        data,
        above=legend(pos="relevant", neg="not relevant") + size,
    )


def _places(frame, scores):
    """Return where the documents are drawn; those of one class and score stand side by side."""
    places = []
    for i, (score, y) in enumerate(zip(scores, Y)):
        ties = [r for r in range(len(Y)) if (scores[r], Y[r]) == (score, y)]
        shift = 14 * (ties.index(i) - (len(ties) - 1) / 2)
        places.append((frame.x(score) + shift, frame.y(EDGE if y else -EDGE)))
    return places


def _curves_panel(frames, places, start):
    """Draw the two curves and the documents, sized by their weights."""
    sizes = [size for sizes in start["size"] for size in sizes]
    documents = [
        mark(
            "pos" if y else "neg",
            class_="spot doc",
            transform=f"translate({x:.2f} {height:.2f}) scale({size})",
        )
        for (x, height), size, y in zip(places, sizes, [*Y, *Y])
    ]
    return svg(
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
            frame.line(unit_steps(votes), "level stairs")
            for frame, votes in zip(frames, start["votes"])
        ),
        *documents,
        height=360,
    )


def _loss_panel(frame, loss, minimum):
    """Draw the axes of the loss by refits, its minimum, and the points to come."""
    return svg(
        "The mean exponential loss after each refit",
        "A row of points that falls with each refit, from 1 towards the minimum, "
        f"{fixed(minimum, 3)}, a dashed line.",
        frame.axes(
            "refits",
            "mean exponential loss",
            xticks=range(PASSES + 1),
            yticks=(0.5, 0.6, 0.7, 0.8, 0.9, 1),
            xgrid=[],
        ),
        frame.line([(frame.xlim[0], minimum), (frame.xlim[1], minimum)], "guide"),
        label(frame.x(0) - 4, frame.y(minimum) - 6, f"minimum {fixed(minimum, 3)}"),
        *(
            tag(
                "circle",
                r=5,
                class_="dot",
                opacity=0 if t else 1,
                transform=frame.translate(t, loss),
            )
            for t in range(PASSES + 1)
        ),
        frame.circle(0, loss, 8, "here"),
        height=316,
    )


def _film(first):
    """Return the sequence of refits that begins with curve `first`, and the minimum of the loss.

    Each step has the votes of both curves, the sizes of the documents, the loss and a sentence.
    """
    from ...isotonic.curves import CurveSum, value_codes
    from ... import PAVAdaBoostFinite, roc_auc

    X = np.column_stack([S1, S2]).astype(float)
    y = np.array(Y)
    codes = X.astype(int) - 1
    sorts = [value_codes(column, y) for column in X.T]
    model = CurveSum(sorts, [np.array([1])] * 2, y, np.ones(12), 1 / 12)
    steps = []
    for t in range(PASSES + 1):
        j = (first + t - 1) % 2
        if t:
            model.refit(j)
        votes = [np.log(odds[0]) for odds in model.odds]
        votes_of_documents = [votes[i][codes[:, i]] for i in (0, 1)]
        auc = roc_auc(y, (votes_of_documents[0] + votes_of_documents[1]).round(9))
        loss = model.objective()
        if t == 0:
            sentence = _first_sentence(loss, auc)
        else:
            sentence = _sentence(t, j, steps[-1], votes[j], loss, auc)
        if t == PASSES:
            fall = fixed(100 * (1 - model.objective_after_refit(1 - j) / loss))
            sentence += f" One more refit would lower the loss by {fall} %."
        # the weight a document has when curve i is refitted comes from the other curve alone; a
        # mark's area is its weight
        weights = [np.exp((1 - 2 * y) * votes_of_documents[1 - i]) for i in (0, 1)]
        steps.append(
            {
                "votes": [v.round(5).tolist() for v in votes],
                "size": [(0.75 * np.sqrt(w)).round(3).tolist() for w in weights],
                "loss": round(loss, 5),
                "say": sentence,
            }
        )
    minimum = PAVAdaBoostFinite(max_cycles=10_000, tol=1e-12).fit(X, y).objective_[-1]
    return steps, minimum


def _first_sentence(loss, auc):
    """Return the sentence before the first refit, with the reader's task."""
    return (
        f"Both curves are level: every vote is 0, the loss is <b>{fixed(loss, 4)}</b>, and "
        f"the AUC of the sum of votes is <b>{fixed(auc, 3)}</b>. Get the loss below "
        f"<b>{fixed(GOAL, 3)}</b> with {FEWEST} refits. Which curve first?"
    )


def _sentence(t, j, before, votes, loss, auc):
    """Return the sentence after refit t, of curve j."""
    move = votes - before["votes"][j]
    at = int(np.argmax(np.abs(move)))
    return (
        f"Refit {t}, curve {j + 1}. Its largest move is at the value {at + 1}, from "
        f"{_with_minus(before['votes'][j][at])} to {_with_minus(votes[at])}. "
        f"The loss falls from {fixed(before['loss'], 4)} to <b>{fixed(loss, 4)}</b>; "
        f"the AUC of the sum is <b>{fixed(auc, 3)}</b>."
    )


def _with_minus(v):
    """Return a number with two decimals and a proper minus sign."""
    return fixed(v).replace("-", "−") if round(v, 2) else "0"
