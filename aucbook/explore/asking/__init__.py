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


def asking_explorer(titles=None, wanted=None):
    """Run Nscore by hand (Paper 2, section 7.2): choose a document, and set its votes.

    The left panel shows the documents, sized by their weights, with their similarity to the chosen
    document and their scores so far. The right panel shows the votes against similarity: those of a
    threshold chosen by the reader, or those of isotonic regression (PAV).

    Parameters
    ----------
    titles : sequence of str, default None
        4 to 8 short texts. None for six titles about biology.
    wanted : sequence of 0 and 1, default None
        Whether each document is relevant; both values must occur. None for the labels of the
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
    from ..._validation.checks import check_labels

    titles = list(TITLES if titles is None else titles)
    if not (4 <= len(titles) <= 8 and all(isinstance(t, str) and 0 < len(t) <= 44 for t in titles)):
        raise ValueError(f"titles must be 4 to 8 texts of at most 44 letters, got {titles}")
    y = check_labels(WANTED if wanted is None else wanted)[0].astype(int)
    if y.size != len(titles):
        raise ValueError(f"wanted has {y.size} labels for {len(titles)} titles")
    S = similarities(titles)
    n = len(titles)
    ask = min(START, n - 1)
    kinds = sorted(set(S[ask]), reverse=True)
    votes, Z = vote_of(cut_scores(S[ask], y[ask], kinds[0]), y, np.full(n, 1 / n))
    curve, best = vote_of(pav_scores(S[ask], y[ask]), y, np.full(n, 1 / n))
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

    def word(v):
        return "wanted" if v else "not wanted"

    left = svg(
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
                    width=float(bar_width(S[ask, i])),
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
    right = svg(
        "Votes by similarity",
        f"The {word(y[ask])} document itself votes {signed(votes[ask])}; the votes of the others "
        f"are {', '.join(signed(v) for i, v in enumerate(votes) if i != ask)}.",
        plane.axes(
            "similarity to the document asked (itself: far right)",
            "vote",
            xticks=(0, 0.1, 0.2, 0.3, 0.4, 0.5),
            yticks=(-1, -0.5, 0, 0.5, 1),
        ),
        plane.line([plane_end(plane, 0), plane_end(plane, 1)], "guide"),
        tag(
            "path", d=plane.path(steps(S[ask], curve)), class_="level other", style="stroke-width:2"
        ),
        tag("path", d=plane.path(steps(S[ask], votes)), class_="curve chosen-votes"),
        *(
            tag(
                "g",
                mark("pos" if y[i] else "neg"),
                class_="spot vote",
                transform=f"translate({x:.2f} {plane.y(votes[i]):.2f})",
            )
            for i, x in enumerate(places(plane, S[ask], votes))
        ),
        height=334,
    )
    controls = [
        slider("ask", "ask title", 1, n, 1, ask + 1, str(ask + 1)),
        slider("k", "neighbours", 1, len(kinds) - 1, 1, 1, "1"),
        bar(pills("link", ("my cut", "PAV's curve"), "Votes")),
        bar(button("vote", "Take this vote", main=True), button("reset", "Start again")),
    ]
    inside, outside = votes[ask], votes[int(np.argmin(S[ask]))]
    sentence = (
        f"Round 1. You ask title <b>{ask + 1}</b>, {word(y[ask])}. The 1 most like it gets the "
        f"vote <b>{signed(inside)}</b>, the others "
        f"<b>{signed(outside)}</b>. Of the weights <b>{fixed(Z)}</b> would be left; PAV's curve "
        f"would leave <b>{fixed(best)}</b>."
    )
    return Explorable(
        "asking",
        "Whom would you ask?",
        [left, right],
        controls,
        sentence,
        data,
        above=legend(tag("span", "Size: weight. Bar: similarity."), pos="wanted", neg="not wanted"),
        uses=["pool.js"],
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


def signed(v):
    """Return a number with its sign and two decimals."""
    v = float(v) if abs(v) > 1e-9 else 0.0
    return ("+" if v > 0 else "−" if v < 0 else "") + fixed(abs(v))


def bar_width(similarity):
    """Return the width of a similarity bar, 270 units at most."""
    return 270 * min(similarity, WIDEST) / WIDEST


def steps(similarity, votes):
    """Return the votes as a step function of similarity, with steps halfway between neighbours."""
    pairs = sorted({(min(s, WIDEST), v) for s, v in zip(similarity.tolist(), votes.tolist())})
    ends = [(a[0] + b[0]) / 2 for a, b in zip(pairs, pairs[1:])]
    return [
        (x, v)
        for x0, x1, (_, v) in zip([-0.02, *ends], [*ends, WIDEST + 0.04], pairs)
        for x in (x0, x1)
    ]


def places(plane, similarity, votes):
    """Return the horizontal positions of the marks; equal similarities stand side by side."""
    out = [0.0] * len(similarity)
    order = sorted(range(len(out)), key=lambda i: (similarity[i], i))
    for s, rows in groupby(order, key=lambda i: similarity[i]):
        rows = list(rows)
        for j, i in enumerate(rows):
            out[i] = plane.x(min(s, WIDEST)) + 14 * (j - (len(rows) - 1) * (s > 0) / 2)
    return out


def plane_end(plane, which):
    """Return one end of the line of zero votes."""
    return plane.xlim[which], 0
