"""Explorable of Nscore: neighbours of a document vote by their similarity to it."""

from itertools import groupby

import numpy as np

from ..base import (
    Explorable,
    Frame,
    bar,
    button,
    fixed,
    label,
    legend,
    mark,
    pills,
    signed,
    slider,
    svg,
    tag,
)

TITLES = [
    "restriction enzyme cuts viral dna",
    "new restriction enzyme from soil bacteria",
    "dna methylase and restriction in bacteria",
    "soil bacteria and plant growth",
    "viral dna in blood samples",
    "enzyme test for blood sugar",
]
WANTED = [1, 1, 1, 0, 0, 0]
START = 3  # the document chosen at first
WIDEST = 0.5  # largest similarity drawn; that of a document to itself is larger
SMALLEST = 1e-9  # vote that is shown with a sign


def asking_explorer(titles=None, wanted=None):
    """Run Nscore by hand (Paper 2, section 7.2): choose a document, and set its votes.

    The left panel shows the documents, sized by their weights, with their similarity to the chosen
    document and their scores so far. The right panel shows the votes against similarity: those of a
    threshold chosen by the reader, or those of isotonic regression (PAV).

    Parameters
    ----------
    titles : sequence of str, default None
        4 to 8 short texts. None for six titles about biology.
    wanted : array-like of shape (n,), default None
        Whether each document is relevant, 0 or 1; both must occur. None for the labels of the
        default titles.

    Returns
    -------
    Explorable
        The figure, at round 1.

    Raises
    ------
    ValueError
        For other titles or labels, or when two titles consist of the same words.

    See Also
    --------
    aucbook.text.Nscore : The ranker.

    Examples
    --------
    >>> from aucbook.explore import asking_explorer
    >>> asking_explorer()
    <explorable: Whom would you ask?>
    """
    titles, y = _checked(titles, wanted)
    S = similarities(titles)
    n = len(titles)
    ask = min(START, n - 1)
    kinds = sorted(set(S[ask]), reverse=True)
    weights = np.full(n, 1 / n)
    votes, Z = vote_of(cut_scores(S[ask], y[ask], kinds[0]), y, weights)
    pav_votes, best = vote_of(pav_scores(S[ask], y[ask]), y, weights)
    plane = Frame(46, 16, 298, 262, x=(-0.02, WIDEST + 0.04), y=(-1.15, 1.15))
    data = {
        "S": S.tolist(),
        "y": y.tolist(),
        "titles": titles,
        "ask": ask,
        "widest": WIDEST,
        "plane": plane.json(),
        "top": [14 + 46 * i for i in range(n)],
    }
    panels = [
        _documents_panel(titles, y, S[ask], ask),
        _votes_panel(plane, y, S[ask], ask, votes, pav_votes),
    ]
    controls = [
        slider("ask", "ask title", 1, n, 1, ask + 1, str(ask + 1)),
        slider("k", "neighbours", 1, len(kinds) - 1, 1, 1, "1"),
        bar(pills("link", ("my cut", "PAV's curve"), "Votes")),
        bar(button("vote", "Take this vote", main=True), button("reset", "Start again")),
    ]
    inside = votes[ask]
    outside = votes[int(np.argmin(S[ask]))]
    sentence = (
        f"Round 1. You ask title <b>{ask + 1}</b>, {_kind(y[ask])}. The 1 most like it gets the "
        f"vote <b>{signed(inside, SMALLEST)}</b>, the others "
        f"<b>{signed(outside, SMALLEST)}</b>. Of the weights <b>{fixed(Z)}</b> would be left; "
        f"PAV's curve would leave <b>{fixed(best)}</b>."
    )
    return Explorable(
        "asking",
        "Whom would you ask?",
        panels,
        controls,
        sentence,
        data,
        above=legend(tag("span", "Size: weight. Bar: similarity."), pos="wanted", neg="not wanted"),
        uses=["pool.js"],
    )


def _checked(titles, wanted):
    """Return the titles and their labels, checked."""
    from ..._validation.checks import check_labels

    titles = list(TITLES if titles is None else titles)
    if not (4 <= len(titles) <= 8 and all(isinstance(t, str) and 0 < len(t) <= 44 for t in titles)):
        raise ValueError(
            f"titles must be 4 to 8 texts of at most 44 letters, got {len(titles)}: "
            "aucbook.text.Nscore ranks any number of texts of any length"
        )
    if wanted is None and titles != list(TITLES):
        raise ValueError("wanted must be given with titles: 0 or 1 for each of them")
    y = check_labels(WANTED if wanted is None else wanted, name="wanted")[0].astype(int)
    if y.size != len(titles):
        raise ValueError(f"wanted has {y.size} labels for {len(titles)} titles")
    return titles, y


def _kind(is_wanted):
    """Return the name of a label."""
    return "wanted" if is_wanted else "not wanted"


def _documents_panel(titles, y, similarity, ask):
    """Draw the documents with their weights, similarities and scores."""
    n = len(titles)
    return svg(
        "The documents, their similarity to the one asked, and their scores",
        f"{n} titles; {', '.join(str(i + 1) for i in range(n) if y[i])} are wanted. Title "
        f"{ask + 1} is asked. All scores are 0.",
        *(
            tag(
                "g",
                tag(
                    "rect",
                    x=0,
                    y=-6,
                    width=360,
                    height=42,
                    rx=6,
                    class_="strip" if i == ask else "strip hidden",
                ),
                tag(
                    "g",
                    mark("pos" if y[i] else "neg"),
                    class_="weight",
                    transform="translate(16 10)",
                ),
                label(34, 12, f"{i + 1} {title}"),
                tag(
                    "rect",
                    x=34,
                    y=19,
                    width=float(bar_width(similarity[i])),
                    height=9,
                    rx=2,
                    class_="fill like",
                ),
                label(356, 12, "0.00", class_="strong score", anchor="end"),
                class_="row",
                style="cursor:pointer",
                transform=f"translate(0 {14 + 46 * i})",
            )
            for i, title in enumerate(titles)
        ),
        height=20 + 46 * n,
    )


def _votes_panel(plane, y, similarity, ask, votes, pav_votes):
    """Draw the votes by similarity: those of a threshold, with those of PAV behind them."""
    others = ", ".join(signed(v, SMALLEST) for i, v in enumerate(votes) if i != ask)
    return svg(
        "Votes by similarity",
        f"The {_kind(y[ask])} document itself votes {signed(votes[ask], SMALLEST)}; the votes of "
        f"the others are {others}.",
        plane.axes(
            "similarity to the document asked (itself: far right)",
            "vote",
            xticks=(0, 0.1, 0.2, 0.3, 0.4, 0.5),
            yticks=(-1, -0.5, 0, 0.5, 1),
        ),
        plane.line([(plane.xlim[0], 0), (plane.xlim[1], 0)], "guide"),
        plane.line(steps(similarity, pav_votes), "level other", style="stroke-width:2"),
        plane.line(steps(similarity, votes), "curve chosen-votes"),
        *(
            tag(
                "g",
                mark("pos" if y[i] else "neg"),
                class_="spot vote",
                transform=f"translate({x:.2f} {plane.y(votes[i]):.2f})",
            )
            for i, x in enumerate(places(plane, similarity))
        ),
        height=334,
    )


def similarities(titles):
    """Return the (n, n) similarities between all titles, rounded to four decimals.

    They use the term weights of Eq. 49 times rarity.
    """
    from sklearn.feature_extraction.text import CountVectorizer

    from ...text import poisson_tf_similarity

    S = poisson_tf_similarity(CountVectorizer(token_pattern=r"\S+").fit_transform(titles)).round(4)
    if len({frozenset(t.lower().split()) for t in titles}) < len(titles):
        raise ValueError("two titles have the same words: one of them is enough")
    return S


def pav_scores(similarity, wanted):
    """Return Nscore's weak score: the similarity to the chosen document, negated if irrelevant."""
    return similarity if wanted else -similarity


def cut_scores(similarity, wanted, least):
    """Return the weak score of a threshold on the similarity: at least `least`, or less."""
    return pav_scores((similarity >= least).astype(float), wanted)


def vote_of(h, y, D):
    """Return the isotonic votes of weak scores, and Z, the sum of weights after this vote.

    h is (n,) weak scores, y (n,) labels, D (n,) weights with sum 1. Probabilities are kept 1/n away
    from 0 and 1.
    """
    from ... import PAVCalibrator

    p = PAVCalibrator(clip=1 / y.size).fit(h, y, D).transform(h)
    votes = np.log(p / (1 - p)) / 2
    return votes, float(D @ np.exp(-(2 * y - 1) * votes))


def bar_width(similarity):
    """Return the width of a similarity bar, 270 units at most."""
    return 270 * min(similarity, WIDEST) / WIDEST


def steps(similarity, votes):
    """Return the votes as a step function of similarity, with steps halfway between neighbours."""
    pairs = sorted({(min(s, WIDEST), v) for s, v in zip(similarity.tolist(), votes.tolist())})
    middles = [(a[0] + b[0]) / 2 for a, b in zip(pairs, pairs[1:])]
    ends = [-0.02, *middles, WIDEST + 0.04]
    return [(x, v) for i, (_, v) in enumerate(pairs) for x in ends[i : i + 2]]


def places(plane, similarity):
    """Return the horizontal positions of the marks; equal similarities stand side by side."""
    horizontal = [0.0] * len(similarity)
    order = sorted(range(len(similarity)), key=lambda i: (similarity[i], i))
    for s, rows in groupby(order, key=lambda i: similarity[i]):
        rows = list(rows)
        for j, i in enumerate(rows):
            horizontal[i] = plane.x(min(s, WIDEST)) + 14 * (j - (len(rows) - 1) * (s > 0) / 2)
    return horizontal
