"""Explorable of label noise: which rows AUCBoost ranks wrongly, and where its votes are."""

from functools import cache

import numpy as np

from ..base import (
    Explorable,
    Frame,
    colour_key,
    fixed,
    label,
    legend,
    share_bar,
    slider,
    svg,
    tag,
    task,
    value_line,
)

NOISE = (0, 0.5, 1, 1.5, 2, 3, 5, 10, 20)  # per cent of wrong labels
ROUNDS = 100
START = 1  # the round chosen at first
# A patient of each group: which of the 21 columns are right.
GROUPS = {
    "all 21 agree: a quarter": [1] * 21,
    "the first 11 agree: a quarter": [1] * 11 + [0] * 10,
    "mixed: half of the patients": [0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0],
}
EVEN = 11 / 16  # with more of the votes in the first 11 columns the mixed patients are outvoted
TASK = (
    "First, without wrong labels: after how many rounds is nearly all of the mixed group right? "
    "Then find the smallest share "
    "of wrong labels with which most of it stays wrong, whatever the rounds."
)


def noise_explorer():
    """Train AUCBoost on Long and Servedio's three groups of rows under label noise.

    The left panel shows for each group the columns of one of its rows (filled where the column
    agrees with the label), and the share of the group with the wrong sign. The right panel shows
    by rounds the share of all votes on the first 11 of the 21 columns. Scores are those of new
    rows of `make_flipped` with clean labels.

    Returns
    -------
    Explorable
        The figure, without label noise, after one round.

    See Also
    --------
    aucbook.AUCBoost : The ranker.
    martirank_explorer : MartiRank on the same data.
    aucbook.lab.noise : Rankers under wrong labels, for data of your own.

    Examples
    --------
    >>> from aucbook.explore import noise_explorer
    >>> noise_explorer()
    <explorable: Who is ranked wrong?>
    """
    runs = [_run(noise / 100) for noise in NOISE]
    run = runs[0]
    wrong = [shares[START - 1] / 1000 for shares in run["wrong"]]
    share = run["share"][START - 1] / 1000
    auc = run["auc"][START - 1] / 1000
    frame = Frame(46, 16, 298, 270, x=(0, ROUNDS), y=(0.5, 1))
    controls = [
        slider("noise", "Wrong labels", 0, len(NOISE) - 1, 1, 0, f"{NOISE[0]} %"),
        slider("rounds", "Rounds", 1, ROUNDS, 1, START, str(START)),
    ]
    sentence = (
        f"With <b>{NOISE[0]} %</b> wrong labels and {START} round, "
        f"<b>{fixed(100 * wrong[2], 1)} %</b> of the mixed group get the wrong sign; the clean AUC "
        f"is <b>{fixed(auc, 3)}</b>. The first 11 columns hold <b>{fixed(share)}</b> of the votes, "
        f"the other 10 hold {fixed(1 - share)}."
    )
    key = legend(colour_key("blue", "a column that is right"), colour_key("orange", "wrong"))
    return Explorable(
        "noise",
        "Who is ranked wrong?",
        [_groups_panel(wrong), _votes_panel(frame, run["share"])],
        controls,
        sentence,
        {"noise": NOISE, "runs": runs, "frame": frame.json()},
        above=task(TASK) + key,
    )


def _groups_panel(wrong):
    """Draw the columns of a row of each group, and the group's share of wrong signs."""
    parts = []
    for g, (name, columns) in enumerate(GROUPS.items()):
        top = 8 + 108 * g
        parts += [label(14, top + 12, name, class_="strong")]
        parts += [
            tag(
                "rect",
                x=14 + 14.8 * j + (j > 10) * 8,
                y=top + 20,
                width=12,
                height=12,
                rx=2,
                class_="pos" if is_right else "neg",
            )
            for j, is_right in enumerate(columns)
        ]
        parts += [
            share_bar(top + 42, 20, wrong[g], "neg wrong-sign"),
            value_line(top + 80, "wrong sign", f"{fixed(100 * wrong[g], 1)} %", "wrong-words"),
        ]
    return svg(
        "The three groups",
        "For each group the 21 columns of one of its patients and the share of wrong signs: "
        f"{', '.join(f'{fixed(100 * share, 1)} %' for share in wrong)}.",
        *parts,
        height=334,
    )


def _votes_panel(frame, shares):
    """Draw the share of the votes on the first 11 columns by rounds, in thousandths."""
    curve = [(t, share / 1000) for t, share in enumerate(shares, 1)]
    first = curve[START - 1]
    return svg(
        "The votes of the first 11 columns by round",
        f"A curve of the share of the votes that the first 11 columns hold, over {ROUNDS} "
        f"rounds, and a dashed line at 11/16. After round {START} they hold {fixed(first[1])}.",
        frame.axes(
            "round of AUCBoost",
            "share of the votes",
            xticks=range(0, ROUNDS + 1, 20),
            yticks=(0.5, 0.6, 0.7, 0.8, 0.9, 1),
        ),
        frame.line([(0, EVEN), (ROUNDS, EVEN)], "guide"),
        label(
            344,
            frame.y(EVEN) - 7,
            "above 11/16: the mixed are outvoted",
            class_="small halo",
            anchor="end",
        ),
        frame.line(curve, "curve thin"),
        frame.circle(*first, 7, "here"),
        label(
            344, 32, "votes of the first 11 columns", class_="strong halo blue-ink", anchor="end"
        ),
        height=334,
    )


@cache
def _run(noise):
    """Return the results of AUCBoost at one noise level, by rounds, in thousandths.

    They are the share of wrong signs in each group, the share of the votes on the first 11
    columns, and the AUC against clean labels.
    """
    from ... import AUCBoost, roc_auc
    from ...theory import make_flipped

    X, y = make_flipped(4000, noise, random_state=2)
    test, clean, _ = make_flipped(4000, 0, random_state=1, return_clean=True)
    right = test == clean[:, None]
    all_right = right.all(1)
    first_right = right[:, :11].all(1) & ~right[:, 11:].any(1)
    groups = [all_right, first_right, ~(all_right | first_right)]
    # The score is additive in the columns: when one column changes from -1 to 1, the score changes
    # by twice its vote.
    probes = np.vstack([-np.ones(21), 2 * np.eye(21) - 1])
    model = AUCBoost(n_estimators=ROUNDS, answers="balanced").fit(X, y)
    run = {"wrong": [[], [], []], "share": [], "auc": []}
    for scores in model.staged_decision_function(np.vstack([test, probes])):
        f = scores[: len(test)]
        probed = scores[len(test) :]
        votes = probed[1:] - probed[0]
        for shares, rows in zip(run["wrong"], groups):
            shares.append(round(1000 * float((np.sign(f[rows]) != clean[rows]).mean())))
        run["share"].append(round(1000 * float(votes[:11].sum() / votes.sum())))
        run["auc"].append(round(1000 * roc_auc(clean, f)))
    return run
